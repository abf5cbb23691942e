"""How the core is compiled: three decorators, and a disk cache that notices every edit of the core.

Numba's own cache looks only at the file that holds the cached function, so an edit in a file it calls would go
unnoticed. Here the cache folder is named after a digest of all compiled sources: any edit starts a new folder.
"""

import hashlib
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numba

_GAME = Path(__file__).parents[1]
_CORE_ROOMS = ("core", "policies")
_UNIT_ROOMS = ("policies/lookahead", "policies/users")
_ALL_ROOMS = (*_CORE_ROOMS, *_UNIT_ROOMS, "policies/weights")
_OLD_CACHES_KEPT = 4

# The masks of the packed lists keep every index in bounds, and no exception can be raised: nothing to check for.
_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
INLINE: Any = {**_OPTIONS, "forceinline": True}  # of functions that become part of their callers
_config: Any = numba.config


def jit(function: Callable) -> Callable:
    """Compile a function of the core that other compiled functions call; it becomes part of its callers."""
    return numba.njit(**INLINE)(function)


def cold(function: Callable) -> Callable:
    """Compile a function that counted games hardly ever reach; it stays out of its callers' way."""
    return numba.njit(**_OPTIONS)(function)


def kernel(function: Callable) -> Callable:
    """Compile an entry point: called from Python, cached on disk for later processes."""
    with _own_cache() as folder:
        compiled = numba.njit(**_OPTIONS, cache=folder is not None)(function)
    if folder and not _config.DISABLE_JIT:
        _survive_a_bad_cache(compiled, folder)
    return compiled


def unit(signature: Any, function: Callable, solo: bool = False) -> Any:
    """Compile a function that the core calls by its address, or load it from disk; it lives as long as the process."""
    with _own_cache(units_folder(solo)) as folder:
        try:
            compiled = numba.cfunc(signature, error_model="numpy", cache=folder is not None)(function)
        except Exception as error:  # whatever unpickling damaged bytes, or writing, may raise
            if folder is None:
                raise
            print(f"clashsim: compiling again, {folder} is damaged or full: {error}", file=sys.stderr)
            shutil.rmtree(folder, ignore_errors=True)
            compiled = numba.cfunc(signature, error_model="numpy")(function)
    _units.append(compiled)
    return compiled


_units: list[Any] = []


def is_compiled() -> bool:
    """Tell whether the compiler is switched on (NUMBA_DISABLE_JIT switches it off)."""
    return not _config.DISABLE_JIT


def is_cached(kernels: Iterable[str] = ("duel.play_games",)) -> bool:
    """Tell whether an earlier process left kernels, "module.function", compiled from exactly these sources on disk."""
    return _config.DISABLE_JIT or all(_compiled_files(cache_folder, f"{name}-*.nbc") for name in kernels)


def unit_is_cached(name: str, solo: bool = False) -> bool:
    """Tell whether an earlier process left a unit, "module:function", compiled from exactly these sources on disk."""
    module = name.partition(":")[0].rpartition(".")[2]
    return _config.DISABLE_JIT or bool(_compiled_files(lambda: units_folder(solo), f"{module}.*.nbc"))


def _compiled_files(folder: Callable[[], Path], pattern: str) -> list[Path]:
    try:
        return list(folder().rglob(pattern))
    except (OSError, RuntimeError):  # no home, no permission
        return []


@cache
def units_folder(solo: bool = False) -> Path:
    """Return where the units of duels or solo games are kept: named after a digest of their own sources, too."""
    return cache_folder() / f"{'solo-' if solo else ''}units-{source_digest(rooms=_UNIT_ROOMS)}"


@cache
def cache_folder() -> Path:
    """Return where the kernels compiled from these sources are kept."""
    named = os.environ.get("NUMBA_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME")
    base = Path(named) if named else Path("~/.cache").expanduser()
    return (
        base / "clashsim" / source_digest(_GAME, f"{sys.version_info[:3]} {numba.__version__}", _CORE_ROOMS)
    )


def source_digest(game: Path = _GAME, compiler: str = "", rooms: Sequence[str] = _ALL_ROOMS) -> str:
    """Return 16 hexadecimal digits of the sources that decide how games go, and of what compiles them if given."""
    digest = hashlib.blake2b(compiler.encode(), digest_size=8)
    for room in rooms:
        for path in sorted(path for path in (game / room).glob("*.*") if path.suffix in (".py", ".toml")):
            digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


@contextmanager
def _own_cache(wanted: Path | None = None) -> Iterator[Path | None]:
    """Let numba use our cache folder while something is decorated; None where it can not be written."""
    before = _config.CACHE_DIR
    folder = _make_cache_folder(wanted)
    if folder:
        _config.CACHE_DIR = str(folder)
    try:
        yield folder
    finally:
        _config.CACHE_DIR = before


def _survive_a_bad_cache(compiled: Any, folder: Path) -> None:
    """Let a kernel be compiled and used although its files on disk are damaged, or can not be written."""
    cache = compiled._cache
    load, save = cache.load_overload, cache.save_overload

    def load_overload(*arguments: Any) -> Any:
        try:
            return load(*arguments)
        except Exception:  # whatever unpickling damaged bytes may raise
            print(f"clashsim: compiling again, the compiled core in {folder} is damaged", file=sys.stderr)
            shutil.rmtree(folder, ignore_errors=True)
            return None

    def save_overload(*arguments: Any) -> None:
        try:
            save(*arguments)
        except Exception as error:
            print(f"clashsim: the compiled core is not kept in {folder}: {error}", file=sys.stderr)
            shutil.rmtree(folder, ignore_errors=True)

    cache.load_overload, cache.save_overload = load_overload, save_overload


def _make_cache_folder(wanted: Path | None = None) -> Path | None:
    try:
        folder = wanted or cache_folder()
        if not folder.exists():
            folder.mkdir(parents=True)
            if wanted is None:
                _remove_old_caches(folder)
        return folder if os.access(folder, os.W_OK) else None
    except (OSError, RuntimeError):  # no home, no room, no permission
        return None


def _remove_old_caches(current: Path) -> None:
    others = [path for path in current.parent.iterdir() if path.is_dir() and path != current]
    others.sort(key=lambda path: path.stat().st_mtime, reverse=True)
    for path in others[_OLD_CACHES_KEPT:]:
        shutil.rmtree(path, ignore_errors=True)
