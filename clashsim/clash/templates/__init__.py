"""Files to start from. policy.py is both: a policy that plays, and the text that users get."""

import shlex
from pathlib import Path

from clashsim.errors import InputError, OutputError, reason_of

POLICY = Path(__file__).with_name("policy.py")


def write_policy(path: Path, *, overwrite: bool = False) -> str:
    """Write the template of a policy into a file, and return how the command line names it.

    Raises
    ------
    InputError
        It is no name of a Python file, the file exists and may not be overwritten, or there can be none.
    OutputError
        Writing breaks off.
    """
    if path.suffix != ".py":
        raise InputError(f"{path} is no name of a Python file; expected one such as my_policy.py")
    if path.is_dir() or (path.exists() and not path.is_file()):
        raise InputError(f"{path} is not a regular file; expected a new name, such as my_policy.py")
    if path.exists() and not overwrite:
        raise InputError(f"{path} exists; expected a new name, or --yes to overwrite it")
    spec = shlex.quote(f"{path}:choose")
    text = POLICY.read_text("utf-8").replace("FILE:choose", spec)
    try:
        file = path.open("w", encoding="utf-8", newline="\n")
    except (OSError, ValueError) as error:
        raise InputError(
            f"can not write {path}: {reason_of(error)}; expected a file in a folder that can be written"
        ) from None
    try:
        with file:
            file.write(text)
    except OSError as error:
        raise OutputError(f"can not write {path}: {reason_of(error)}") from error
    return spec
