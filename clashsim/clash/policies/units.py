"""Policies compiled by themselves, each when it is first needed, and called by the core at their address.

A unit is a function ``plan_turn(state, match, search) -> None``. The core knows only its address, so that it
need not be compiled anew for a policy, and does not grow with it.
"""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from clashsim.clash.core.jit import is_compiled, unit
from clashsim.clash.core.match import MATCH
from clashsim.clash.core.state import SOLO_STATE, STATE
from clashsim.clash.policies.scratch import SEARCH, SOLO_SEARCH


def _pointers(*records: np.dtype) -> Any:
    return types.void(*(types.CPointer(numba.from_dtype(record)) for record in records))


POINTERS = _pointers(STATE, MATCH, SEARCH)
SOLO_POINTERS = _pointers(SOLO_STATE, MATCH, SOLO_SEARCH)

_uncompiled: list[
    Callable
] = []  # with the compiler switched off an address is a place in this list, plus one


@cache
def unit_address(name: str, solo: bool = False) -> int:
    """Return the address of a unit, "module:function"; it is compiled, or loaded from disk, if need be.

    Units of solo games are those of duels, compiled for other records. Beside the function stands one of the same
    name with "_at", which does the same with pointers.
    """
    module, _, function = name.partition(":")
    home = import_module(module)
    if not is_compiled():
        _uncompiled.append(getattr(home, function))
        return len(_uncompiled)
    return unit(SOLO_POINTERS if solo else POINTERS, getattr(home, f"{function}_at"), solo).address


@intrinsic
def _call(typing_context: Any, address: Any, state: Any, match: Any, search: Any) -> Any:
    """Call a function of three pointers at an address."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = ir.IntType(8).as_pointer()
        function = ir.FunctionType(ir.VoidType(), [pointer] * 3).as_pointer()
        target = builder.inttoptr(arguments[0], function)
        builder.call(target, [builder.bitcast(record, pointer) for record in arguments[1:]])
        return context.get_dummy_value()

    return types.void(types.int64, state, match, search), codegen


def _ask(address: int, state: Any, match: Any, search: Any) -> None:
    """Let the unit at an address plan the turn that has begun."""
    _call(address, state, match, search)  # type: ignore[call-arg]  # the typing context is numba's


def _ask_uncompiled(number: int, state: Any, match: Any, search: Any) -> None:
    """Let the unit with a number plan the turn that has begun."""
    _uncompiled[number - 1](state, match, search)


ask: Callable = numba.njit(nogil=True, error_model="numpy")(_ask) if is_compiled() else _ask_uncompiled
