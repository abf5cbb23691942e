"""The command `clashsim policies new`."""

from pathlib import Path
from typing import Annotated

import typer

from clashsim.cli.options import YesOption, examples

EXAMPLES = examples("clashsim policies new my_policy.py")


def new_policy(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="File to write, such as my_policy.py.")],
    yes: YesOption = False,
) -> None:
    """Write a policy to start from: a Python file that plays, with comments.

    'python -m pydoc clashsim.clash.player' tells what a policy sees and what it may answer.
    """
    from clashsim.clash.templates import write_policy

    spec = write_policy(file, overwrite=yes)
    print(f"{file} is written. To play it:")
    print(f"  clashsim matchups --policy {spec} --vs-policy greedy")
    print(f"  clashsim policies ladder --policy greedy,{spec}")
    print(f"  clashsim play --decks 1,2 --policy {spec}")
