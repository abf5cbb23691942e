"""How the core is compiled: three decorators, and a disk cache that notices every edit of the core.

Numba's own cache looks only at the file that holds the cached function, so an edit in a file it calls would go unnoticed.
Here the cache folder is named after a digest of all compiled sources: any edit starts a new folder.
"""

import hashlib
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numba

_GAME = Path(__file__).parents[1]
_COMPILED_ROOMS = ("core", "policies")
_OLD_CACHES_KEPT = 4

_cold = numba.njit(nogil=True, error_model="numpy")
_inner = numba.njit(nogil=True, error_model="numpy", forceinline=True)


def jit(function: Callable) -> Callable:
    """Compile a function of the core that other compiled functions call; it becomes part of its callers."""
    return _inner(function)


def cold(function: Callable) -> Callable:
    """Compile a function that counted games never or hardly ever reach; it stays out of its callers' way."""
    return _cold(function)


def kernel(function: Callable) -> Callable:
    """Compile an entry point: called from Python, cached on disk for later processes."""
    with _cache_folder() as folder:
        return numba.njit(nogil=True, error_model="numpy", cache=folder is not None)(function)


def is_cached() -> bool:
    """Tell whether an earlier process left compiled kernels of exactly these sources on disk."""
    return next(_folder().rglob("*.nbc"), None) is not None if not numba.config.DISABLE_JIT else True


def source_digest() -> str:
    """Return a digest of every source file that is compiled, and of what compiles it."""
    digest = hashlib.blake2b(digest_size=8)
    digest.update(f"{sys.version_info[:3]} {numba.__version__}".encode())
    for room in _COMPILED_ROOMS:
        for path in sorted((_GAME / room).glob("*.py")):
            digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def _base_folder() -> Path:
    named = os.environ.get("NUMBA_CACHE_DIR")
    if named:
        return Path(named) / "clashsim"
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "clashsim"


def _folder() -> Path:
    global _folder_path
    if _folder_path is None:
        _folder_path = _base_folder() / source_digest()
    return _folder_path


_folder_path: Path | None = None


@contextmanager
def _cache_folder() -> Iterator[Path | None]:
    """Point numba's cache at our folder while a kernel is being decorated; None where nothing can be written."""
    folder: Path | None = _folder()
    try:
        new = not folder.exists()
        folder.mkdir(parents=True, exist_ok=True)
        if new:
            _remove_old_caches(folder)
        if not os.access(folder, os.W_OK):
            folder = None
    except (OSError, RuntimeError):
        folder = None
    before: Any = numba.config.CACHE_DIR
    if folder is not None:
        numba.config.CACHE_DIR = str(folder)
    try:
        yield folder
    finally:
        numba.config.CACHE_DIR = before


def _remove_old_caches(current: Path) -> None:
    others = [path for path in current.parent.iterdir() if path.is_dir() and path != current]
    others.sort(key=lambda path: path.stat().st_mtime, reverse=True)
    for path in others[_OLD_CACHES_KEPT:]:
        shutil.rmtree(path, ignore_errors=True)
