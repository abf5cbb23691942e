"""Load a user's policy: import its file, find its function, compile it."""

import contextlib
import importlib.util
import inspect
import sys
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numba
import numpy as np
from numba import carray, types
from numba.core.dispatcher import Dispatcher

from clashsim.clash.core.jit import is_compiled
from clashsim.clash.policies.users.compile_errors import compile_error
from clashsim.clash.policies.users.decide import NO_ANSWER, uncompiled
from clashsim.clash.policies.users.view import SOLO_VIEW, VIEW
from clashsim.errors import InputError, nearest, reason_of

_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "python"}  # division by zero raises
_config: Any = numba.config


@dataclass(frozen=True)
class Loaded:
    """A user's function, ready to be called by the unit that asks it (decide.py).

    Attributes
    ----------
    name : str
        For error messages.
    function : callable
        As written.
    address : int
    contents : dict
        Of the policy's file and of those next to it that it imports, by path.
    entry : object
        What has to live as long as the address is used.
    """

    name: str
    function: Callable[[Any], int]
    address: int
    contents: dict[Path, bytes]
    entry: Any


_loaded: dict[tuple[Path, str], Loaded] = {}
_by_address: dict[int, Loaded] = {}
_solo: dict[int, tuple[int, Any]] = {}


def load_function(path: Path, function: str) -> Loaded:
    """Return a function of a Python file, compiled. The file is executed; unchanged files only once in a process.

    Raises
    ------
    InputError
        In one line, with the place in the file: it can not be read or imported, there is no such function, or
        it can not be compiled.
    """
    name = f"policy {path}:{function}"
    key = path.resolve(), function
    found = _loaded.get(key)
    if found is None or any(_read(name, file) != content for file, content in found.contents.items()):
        with _bounds_checked():
            module, files = _imported(name, path)
            plain = _checked(name, module, function)
            address, entry = _compiled(name, path, plain, VIEW)
            contents = {file: _read(name, file) for file in files}
        found = Loaded(name, plain, address, contents, entry)
        _loaded[key] = _by_address[found.address] = found
    return found


def solo_address(address: int) -> int:
    """Return where the function at an address is compiled for the view of solo games, which is done if need be.

    Raises
    ------
    InputError
        It can not be compiled for it, in one line.
    """
    if address not in _solo:
        loaded = _by_address[address]
        with _bounds_checked():
            _solo[address] = _compiled(loaded.name, next(iter(loaded.contents)), loaded.function, SOLO_VIEW)
    return _solo[address][0]


def function_at(address: int) -> Callable[[Any], int]:
    """Return the function at an address as plain Python, with what it calls in its own file."""
    function: Any = _by_address[address].function
    namespace = dict(function.__globals__)
    for name, value in namespace.items():
        plain = getattr(value, "py_func", None)
        if plain is not None and plain.__globals__ is function.__globals__:
            namespace[name] = FunctionType(plain.__code__, namespace, name, plain.__defaults__)
    return FunctionType(
        function.__code__, namespace, function.__name__, function.__defaults__, function.__closure__
    )


def place_in(error: BaseException, path: Path) -> str:
    """Return "line N: " for the last line of a file that an exception passed through, or ""."""
    lines = [
        frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)
    ]
    return f"line {lines[-1]}: " if lines else ""


@contextlib.contextmanager
def _bounds_checked() -> Iterator[None]:
    """Check bounds in all that is compiled meanwhile: an index that is wrong raises, and breaks nothing."""
    before = _config.BOUNDSCHECK
    _config.BOUNDSCHECK = 1
    try:
        yield
    finally:
        _config.BOUNDSCHECK = before


def _read(name: str, path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        folder = path.parent
        others = [other.name for other in folder.glob("*.py")] if folder.is_dir() else []
        raise InputError(
            f"{name}: no file {path}; expected a Python file.{nearest(path.name, others)}"
        ) from None
    except (OSError, ValueError) as error:
        raise InputError(f"{name}: can not read {path}: {reason_of(error)}; expected a Python file") from None


def _imported(name: str, path: Path) -> tuple[ModuleType, list[Path]]:
    """Execute a file as a module, and return it with the files next to it that it imports."""
    source = _read(name, path)
    spec = importlib.util.spec_from_loader(f"clashsim_policy_{path.stem}", loader=None, origin=str(path))
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    module.__file__ = str(path)
    with _beside(path.resolve().parent) as helpers:
        try:
            exec(compile(source, str(path), "exec"), vars(module))
        except SyntaxError as error:
            other = f"{error.filename}, " if error.filename not in (None, str(path)) else ""
            place = f"{other}line {error.lineno}: " if error.lineno else ""
            raise InputError(f"{name}: {place}{error.msg}; expected a Python file") from None
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # whatever a file may raise
            reason = f"{type(error).__name__}: {error}".rstrip(": ")
            raise InputError(f"{name}: {place_in(error, path)}importing it fails: {reason}") from None
    for key, value in list(vars(module).items()):
        if isinstance(value, FunctionType) and value.__module__ == module.__name__:
            setattr(module, key, numba.njit(**_OPTIONS)(value))  # compiled where a compiled function calls it
    return module, [path, *helpers]


@contextlib.contextmanager
def _beside(folder: Path) -> Iterator[list[Path]]:
    """Let modules in a folder be imported; afterwards the list holds their files, and they are forgotten again.

    Standard output is kept for results: what is printed meanwhile goes to standard error.
    """
    before, wrote = set(sys.modules), sys.dont_write_bytecode
    files: list[Path] = []
    sys.path.insert(0, str(folder))
    sys.dont_write_bytecode = True
    importlib.invalidate_caches()
    try:
        with contextlib.redirect_stdout(sys.stderr):
            yield files
    finally:
        sys.path.remove(str(folder))
        sys.dont_write_bytecode = wrote
        for name in set(sys.modules) - before:
            file = getattr(sys.modules[name], "__file__", None)
            if file and Path(file).resolve().is_relative_to(folder):
                files.append(Path(file))
                del sys.modules[name]
        files.sort()


def _checked(name: str, module: ModuleType, function: str) -> Any:
    """Return a function of a module as plain Python, if it can be a policy."""
    names = [key for key, value in vars(module).items() if isinstance(value, FunctionType | Dispatcher)]
    expected = "expected a function of one parameter, such as choose(view)"
    if function not in vars(module):
        raise InputError(
            f"{name}: no function {function!r} in this file; {expected}.{nearest(function, names)}"
        )
    found = vars(module)[function]
    found = getattr(found, "py_func", found)
    if not isinstance(found, FunctionType):
        raise InputError(f"{name}: {function} is a {type(found).__name__}; {expected}, plain or with @njit")
    parameters = inspect.signature(found).parameters.values()
    if inspect.isgeneratorfunction(found) or inspect.iscoroutinefunction(found):
        raise InputError(f"{name}: {function} is a generator or a coroutine; {expected}")
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    if len(parameters) != 1 or any(parameter.kind not in kinds for parameter in parameters):
        raise InputError(f"{name}: {function}{inspect.signature(found)} has other parameters; {expected}")
    return found


def _compiled(name: str, path: Path, function: Callable, view_type: np.dtype) -> tuple[int, Any]:
    """Compile a function for a view; return its address, and what has to live as long as that is used."""
    if not is_compiled():
        uncompiled.append(function)
        return len(uncompiled), None
    view = numba.from_dtype(view_type)
    compiled: Any = numba.njit(**_OPTIONS)(function)
    try:
        compiled.compile((view,))
    except Exception as error:  # numba raises many kinds
        raise InputError(f"{name}: {compile_error(error, path)}") from None
    answer = compiled.overloads[(view,)].signature.return_type
    if not isinstance(answer, types.Integer):
        words = {
            types.Optional: "nothing in some cases",
            types.NoneType: "nothing, or never returns",
        }
        found = next((word for kind, word in words.items() if isinstance(answer, kind)), str(answer)[:40])
        raise InputError(f"{name}: it returns {found}; expected an action: an integer, in all cases")

    def entry(pointer: Any) -> Any:
        try:
            return types.int64(compiled(carray(pointer, 1)[0]))
        except Exception:
            return NO_ANSWER

    caller = numba.cfunc(types.int64(types.CPointer(view)))(entry)
    assert caller.address is not None
    return caller.address, (compiled, caller)
