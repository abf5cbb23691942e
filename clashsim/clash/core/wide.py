"""A number of 256 bits for the compiled code: a list (lists.py) of 32 places, for the lanes of a solo game.

A lane of a player holds seven creatures at most and fits into a machine word; a lane of the AI may hold every
creature of its deck. Numba lets new types of numbers be defined; LLVM knows integers of any width. So the same
functions are compiled for lists of both widths, and a duel pays nothing for it.

In records a wide number is a field of the numpy type `WIDE_FIELD`, unsigned, its lowest byte first. Uncompiled code
sees a `WideNumber` there, and numpy's or Python's integers where a list is narrow.
"""

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core.typeconv import Conversion
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import (
    NativeValue,
    box,
    intrinsic,
    lower_builtin,
    models,
    overload,
    register_model,
    unbox,
)
from numba.np import numpy_support

from clashsim.clash.core.jit import INLINE, is_compiled

BITS = 256
WORD = 64
WIDE_PLACES = BITS // 8
WIDE_FIELD = np.dtype((np.void, WIDE_PLACES))
LOWEST_WORD = (1 << WORD) - 1

_LARGEST = (1 << BITS) - 1
_CODE = ir.IntType(BITS)
_WORD = ir.IntType(WORD)


class Wide(types.Integer):
    """The type of wide numbers, as the compiler knows it; named after its numpy type."""

    def __init__(self) -> None:
        super().__init__(WIDE_FIELD.str.strip("|"), bitwidth=BITS, signed=False)

    def can_convert_from(self, context: Any, other: Any) -> Conversion | None:
        """Every integer becomes a wide one where one is needed."""
        return Conversion.safe if isinstance(other, types.Integer) else None


WIDE = Wide()
register_model(Wide)(models.IntegerModel)
_NUMBA_TYPES: Any = numpy_support.FROM_DTYPE
_NUMBA_TYPES[WIDE_FIELD] = WIDE


class WideNumber(int):
    """A wide number of uncompiled code: whatever it is calculated with, what comes out is wide and wraps around."""

    __array_ufunc__ = None  # a word of numpy's leaves the calculation to it


def _wrapping(operation: Callable) -> Callable:
    def calculate(self: WideNumber, *other: int) -> WideNumber:
        return WideNumber(operation(int(self), *map(int, other)) & _LARGEST)

    return calculate


for _name in ("and", "or", "xor", "add", "sub", "lshift", "rshift"):
    setattr(WideNumber, f"__{_name}__", _wrapping(getattr(int, f"__{_name}__")))
    setattr(WideNumber, f"__r{_name}__", _wrapping(getattr(int, f"__r{_name}__")))
WideNumber.__invert__ = _wrapping(int.__invert__)  # type: ignore[method-assign]


class WideRecord(np.record):  # type: ignore[misc]  # final in numpy's stubs only
    """A record whose wide fields are wide numbers to uncompiled code."""

    def __getattribute__(self, name: str) -> Any:
        value = super().__getattribute__(name)
        if isinstance(value, np.void) and value.dtype.names is None:
            return WideNumber(int.from_bytes(value.tobytes(), "little"))
        return value

    def __setattr__(self, name: str, value: Any) -> None:
        fields: Any = super().__getattribute__("dtype").fields
        if fields[name][0] == WIDE_FIELD:
            value = (int(value) & _LARGEST).to_bytes(WIDE_PLACES, "little")
        super().__setattr__(name, value)


def _is_mixed(arguments: tuple) -> bool:
    """Tell whether arithmetic of these types is wide: one of them is, and all are integers."""
    return WIDE in arguments and all(isinstance(argument, types.Integer) for argument in arguments)


def _define(operators: tuple[Callable, ...], emit: Callable, result: Any = WIDE) -> None:
    """Let the compiler know operators of two wide numbers; a word beside a wide number is widened."""
    for name in operators:

        class Template(AbstractTemplate):
            def generic(self, args: tuple, kws: dict) -> Any:
                return signature(result, WIDE, WIDE) if len(args) == 2 and _is_mixed(args) else None

        def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return emit(builder, *arguments)

        infer_global(name)(Template)
        lower_builtin(name, Wide, Wide)(lower)


def _compared(how: str) -> Callable:
    return lambda builder, one, other: builder.icmp_unsigned(how, one, other)


_define((operator.and_, operator.iand), ir.IRBuilder.and_)
_define((operator.or_, operator.ior), ir.IRBuilder.or_)
_define((operator.xor, operator.ixor), ir.IRBuilder.xor)
_define((operator.add, operator.iadd), ir.IRBuilder.add)
_define((operator.sub, operator.isub), ir.IRBuilder.sub)
_define((operator.lshift, operator.ilshift), ir.IRBuilder.shl)
_define((operator.rshift, operator.irshift), ir.IRBuilder.lshr)
_define((operator.eq,), _compared("=="), types.boolean)
_define((operator.ne,), _compared("!="), types.boolean)


@infer_global(operator.invert)
class _Invert(AbstractTemplate):
    def generic(self, args: tuple, kws: dict) -> Any:
        return signature(WIDE, WIDE) if args == (WIDE,) else None


@lower_builtin(operator.invert, Wide)
def _invert(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    return builder.not_(arguments[0])


_FROM_PYTHON = "wide numbers live in records only"  # but every compiled function has a wrapper for Python


@box(Wide)
def _box(typ: Any, value: Any, tools: Any) -> Any:
    tools.pyapi.err_set_string("PyExc_TypeError", _FROM_PYTHON)
    return tools.pyapi.get_null_object()


@unbox(Wide)
def _unbox(typ: Any, value: Any, tools: Any) -> NativeValue:
    tools.pyapi.err_set_string("PyExc_TypeError", _FROM_PYTHON)
    return NativeValue(_CODE(0), is_error=ir.IntType(1)(1))


def _operation(emit: Callable, result: Any, argument: Any = WIDE) -> Callable:
    """Return an intrinsic of one argument, wide unless another type is named."""

    @intrinsic
    def operation(typing_context: Any, value: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return emit(builder, arguments[0])

        return result(argument), code

    return operation


def _emit_repeated(builder: Any, word: Any) -> Any:
    one = builder.zext(word, _CODE)
    two = builder.or_(one, builder.shl(one, _CODE(WORD)))
    return builder.or_(two, builder.shl(two, _CODE(2 * WORD)))


def _emit_lowest(builder: Any, value: Any) -> Any:
    return builder.trunc(value, _WORD)


def _emit_leading(builder: Any, value: Any) -> Any:
    return builder.trunc(builder.sub(_CODE(BITS), builder.ctlz(value, ir.IntType(1)(0))), _WORD)


def _emit_trailing(builder: Any, value: Any) -> Any:
    return builder.trunc(builder.cttz(value, ir.IntType(1)(0)), _WORD)


def _emit_ones(builder: Any, value: Any) -> Any:
    return builder.trunc(builder.ctpop(value), _WORD)


def _first_of(uncompiled: Callable, compiled: Callable) -> Any:
    return compiled if is_compiled() else uncompiled


repeated = _first_of(
    lambda word: WideNumber(sum((int(word) & LOWEST_WORD) << place for place in range(0, BITS, WORD))),
    _operation(_emit_repeated, WIDE, types.int64),
)
"""Return the wide number whose four words are all this one."""

lowest_word = _first_of(
    lambda value: np.uint64(value & LOWEST_WORD).astype(np.int64), _operation(_emit_lowest, types.int64)
)
"""Return the lowest 64 bits of a wide number."""

bit_length = _first_of(int.bit_length, _operation(_emit_leading, types.int64))
"""Return how many bits a wide number takes."""

trailing_zeros = _first_of(
    lambda value: (value & -value).bit_length() - 1 if value else BITS,
    _operation(_emit_trailing, types.int64),
)
"""Return how many bits below the lowest set bit of a wide number are 0."""

ones = _first_of(int.bit_count, _operation(_emit_ones, types.int64))
"""Return how many bits of a wide number are set."""


def by_width(narrow: Any, wide: Any) -> Any:
    """Return a function that is one of two, by the width of the number that is its first argument."""

    def chosen(values: Any, *others: Any) -> Any:
        return (wide if isinstance(values, WideNumber) else narrow)(values, *others)

    if is_compiled():

        @overload(chosen, strict=False, jit_options=INLINE)
        def choose(values: Any, *others: Any) -> Callable:
            return (wide if values is WIDE else narrow).py_func

    return chosen
