"""The program `clashsim`: its commands, and how errors reach the user."""

import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated, Any, TextIO

import typer

from clashsim import __version__
from clashsim.cli import (
    abilities,
    bench,
    card_values,
    cards,
    columns,
    compare,
    constructed,
    draft,
    matchups,
    play,
    policies,
    prices,
    replay,
    rerun,
    rules,
    solo,
    solo_draft,
    trace,
    whatif,
)
from clashsim.cli.interrupts import INTERRUPTED, end_at_the_second_interrupt
from clashsim.cli.options import examples
from clashsim.errors import ClashsimError, printable

TERMINATED = 143

app = typer.Typer(
    name="clashsim",
    add_completion=False,
    rich_markup_mode=None,  # plain help: half the time to import, and it reads well in a pipe
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=examples(
        "clashsim matchups --out reports/matchups",
        "clashsim card TROLL",
        "clashsim matchups --help",
    ),
)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"clashsim {__version__}")
        raise typer.Exit


@app.callback()
def clashsim(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version and exit."),
    ] = False,
) -> None:
    """Measure the balance of the card game Clash of Decks by simulating games."""


# A command's module imports nothing heavy at its top, so that --help answers at once.
app.command("matchups", epilog=matchups.EXAMPLES)(matchups.play_matchups)
app.command("solo", epilog=solo.EXAMPLES)(solo.play_solo)
app.command("solo-sweep", epilog=solo.SWEEP_EXAMPLES)(solo.sweep_solo)
app.command("whatif", epilog=whatif.EXAMPLES)(whatif.ask_what_if)
app.command("card-values", epilog=card_values.EXAMPLES)(card_values.value_cards)
app.command("prices", epilog=prices.EXAMPLES)(prices.audit_prices)
app.add_typer(constructed.app, name="constructed")
app.command("draft", epilog=draft.EXAMPLES)(draft.draft_decks)
app.command("solo-draft", epilog=solo_draft.EXAMPLES)(solo_draft.draft_solo_decks)
app.command("abilities", epilog=abilities.EXAMPLES)(abilities.try_abilities)
app.command("rerun", epilog=rerun.EXAMPLES)(rerun.rerun)
app.command("compare", epilog=compare.EXAMPLES)(compare.compare)
app.add_typer(policies.app, name="policies")
app.command("cards", epilog=cards.CARDS_EXAMPLES)(cards.list_cards)
app.command("card", epilog=cards.CARD_EXAMPLES)(cards.show_card)
app.command("rules", epilog=rules.RULES_EXAMPLES)(rules.list_rules)
app.command("columns", epilog=columns.EXAMPLES)(columns.list_columns)
app.command("play", epilog=play.PLAY_EXAMPLES)(play.play_game)
app.command("trace", epilog=trace.TRACE_EXAMPLES)(trace.trace_games)
app.command("replay", epilog=replay.REPLAY_EXAMPLES)(replay.replay_game)
app.command("bench", epilog=bench.EXAMPLES)(bench.measure_speed)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program and return its exit code.

    Parameters
    ----------
    arguments : sequence of str, optional
        The command line after the program's name; by default that of the process.

    Returns
    -------
    int
        0 done (or the reader of a pipe has seen enough), 1 a check failed, 2 wrong input, 3 reading or
        writing failed, 130 interrupted.
    """
    if arguments is None:  # a real process: end in good order, so that nothing half written is left behind
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(TERMINATED))
        end_at_the_second_interrupt()
        if sys.stderr is not None:
            sys.stderr = _Unlosable(sys.stderr)
    arguments = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    # A program started with one of them closed has None there, which print() takes for standard output.
    sys.stdout, sys.stderr = (stream or open(os.devnull, "w") for stream in (sys.stdout, sys.stderr))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a name that the terminal can not show must not end the program
            stream.reconfigure(errors="backslashreplace")
    try:
        code = app(arguments, prog_name="clashsim", standalone_mode=False, obj=arguments)
        if sys.stdout is not None:
            sys.stdout.flush()
    except ClashsimError as error:
        return _fail(str(error), error.exit_code)
    except typer.TyperException as error:
        return _fail(_usage_message(error), error.exit_code)
    except (typer.Abort, KeyboardInterrupt):
        code = INTERRUPTED
    except SystemExit as stop:  # how Typer and rich end when the reader of a pipe has gone
        return 0 if stop.code == 1 else int(stop.code or 0)
    except BrokenPipeError:
        _discard_stdout()
        return 0
    except OSError as error:
        _discard_stdout()
        place = f": {error.filename or 'standard output'}"
        return _fail(f"{error.strerror or error}{place}", 3)
    if code == INTERRUPTED:  # Typer turns Ctrl-C into it
        print("clashsim: stopped", file=sys.stderr)
    return code if isinstance(code, int) else 0


class _Unlosable:
    """Standard error that may be lost, its reader gone or its disk full, without ending what is under way."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write what can be written."""
        with suppress(OSError):
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        """Write out what can be written out."""
        with suppress(OSError):
            self._stream.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def _fail(message: str, code: int) -> int:
    print("clashsim: error:", printable(" ".join(message.split())), file=sys.stderr)
    return code


def _usage_message(error: typer.TyperException) -> str:
    context = getattr(error, "ctx", None)
    hint = f" See '{context.command_path} --help'." if context else ""
    message = " ".join(error.format_message().split()).rstrip(".").replace(": Value error, ", ": ")
    return f"{message}{'' if message.endswith('?') else '.'}{hint}"


def _discard_stdout() -> None:
    """Send what is still buffered nowhere, so that the interpreter's last flush does not fail again."""
    if sys.__stdout__ is not None and sys.stdout is sys.__stdout__:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.__stdout__.fileno())


if __name__ == "__main__":
    sys.exit(main())
