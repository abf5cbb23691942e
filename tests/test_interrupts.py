"""Ctrl-C twice ends the program, even while compiled code runs that never ends."""

import os
import signal
import subprocess
import time

import pytest
from processes import PATIENCE, running

pytestmark = [
    pytest.mark.jit,
    pytest.mark.skipif(
        os.name == "nt" or signal.getsignal(signal.SIGINT) is signal.SIG_IGN, reason="sends SIGINT"
    ),
]

ENDLESS = """
def choose(view):
    number = 0
    while view.turn > 0:
        number += view.turn
        if number < 0:
            number = 1
    return number
"""


def test_a_policy_that_never_answers_is_ended_by_the_second(tmp_path):
    (tmp_path / "endless.py").write_text(ENDLESS)
    words = ["matchups", "--decks", "1", "--games", "2", "--policy", "endless.py", "--vs-policy", "greedy"]
    program = "import clashsim.cli.interrupts as i; i.PATIENCE = 0.2\n" + STARTED
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with running("-c", program, *words, **pipes, cwd=tmp_path) as process:
        lines = iter(process.stderr.readline, "")
        assert any("asked" in line for line in lines)
        time.sleep(2)  # until the compiled code has begun, which it tells nobody
        process.send_signal(signal.SIGINT)
        assert any("Ctrl-C once more" in line for line in lines)
        process.send_signal(signal.SIGINT)
        assert any("stopped at once" in line for line in lines)
        assert process.wait(PATIENCE) == 130


STARTED = """
import sys
from clashsim.clash import duels
from clashsim.cli.main import main

play_games = duels.play_games

def told(*arguments):
    if arguments[-1].size:  # of all calls those that play
        print("asked", file=sys.stderr, flush=True)
    play_games(*arguments)

duels.play_games = told
sys.exit(main())
"""
