"""The compile cache: it notices every edit of a compiled source, and does without where it can't write."""

import importlib.util
import shutil
import sys
from pathlib import Path

import numba
import pytest

import clashsim.clash
from clashsim.clash.core import jit
from clashsim.clash.core.jit import source_digest

KERNEL = "test_core_cache._add"
GAME = Path(clashsim.clash.__file__).parent
SOURCES = sorted(
    str(path.relative_to(GAME))
    for room in ("core", "policies")
    for path in (GAME / room).rglob("*.*")
    if path.suffix in (".py", ".toml")
)


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    folder = tmp_path_factory.mktemp("copy") / "clash"
    shutil.copytree(GAME, folder, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


@pytest.fixture
def fresh(monkeypatch, tmp_path):
    """The module as a new process finds it, its cache in an empty folder."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    spec = importlib.util.spec_from_file_location("fresh_jit", jit.__file__)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_copy_elsewhere_has_the_same_digest(copy):
    assert source_digest(copy) == source_digest(GAME)


@pytest.mark.parametrize("name", SOURCES)
def test_every_edit_changes_the_digest(copy, name):
    path, before = copy / name, source_digest(copy)
    source = path.read_bytes()
    path.write_bytes(source + b"\n")
    try:
        assert source_digest(copy) != before
    finally:
        path.write_bytes(source)
    assert source_digest(copy) == before


def test_a_new_renamed_or_removed_file_changes_the_digest(copy):
    digests = [source_digest(copy)]
    new = copy / "policies" / "new.py"
    new.write_text("")
    digests.append(source_digest(copy))
    new = new.rename(new.with_name("newer.py"))
    digests.append(source_digest(copy))
    assert len(set(digests)) == 3
    new.unlink()
    assert source_digest(copy) == digests[0]


def test_the_cache_folder_bears_the_digest(fresh, tmp_path):
    compiler = f"{sys.version_info[:3]} {numba.__version__}"
    core = source_digest(GAME, compiler, ["core", "policies"])
    assert fresh.cache_folder() == tmp_path / "clashsim" / core
    units = source_digest(GAME, rooms=["policies/lookahead", "policies/users"])
    assert fresh.units_folder() == fresh.cache_folder() / f"units-{units}"
    assert source_digest(GAME, compiler) != source_digest(GAME)


@pytest.mark.jit
def test_a_kernel_is_found_again(fresh):
    assert not fresh.is_cached([KERNEL])
    add = fresh.kernel(_add)
    assert add(1, 2) == 3
    assert fresh.is_cached([KERNEL])


@pytest.mark.jit
def test_without_a_place_to_write_kernels_still_run(fresh, tmp_path):
    (tmp_path / "clashsim").write_text("a file where the folder should be")
    assert fresh.kernel(_add)(1, 2) == 3
    assert not fresh.is_cached([KERNEL])


def test_numbas_own_setting_is_left_alone(fresh):
    before = numba.config.CACHE_DIR
    fresh.kernel(_add)
    assert before == numba.config.CACHE_DIR


def test_caches_of_old_sources_are_removed_but_the_last_ones(fresh, tmp_path):
    folders = [tmp_path / "clashsim" / f"old{age}" for age in range(9)]
    for folder in folders:
        folder.mkdir(parents=True)
    fresh.kernel(_add)
    left = {folder for folder in folders if folder.exists()}
    assert 0 < len(left) < len(folders)
    assert fresh.cache_folder().exists()


def _add(one, other):
    return one + other
