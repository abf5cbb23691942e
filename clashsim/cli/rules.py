"""The command `clashsim rules`."""

from clashsim.clash.rules import rules_table
from clashsim.cli.options import FormatOption, examples
from clashsim.cli.output import show

RULES_EXAMPLES = examples("clashsim rules", "clashsim rules --format json")


def list_rules(output_format: FormatOption = None) -> None:
    """List the readings of the rules that --rule NAME=VALUE can change."""
    show(rules_table(), output_format, title="Rule switches")
