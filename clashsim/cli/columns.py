"""`clashsim columns`: what the columns of the tables mean."""

from clashsim.cli.options import FormatOption, examples

EXAMPLES = examples("clashsim columns", "clashsim columns --format csv")


def list_columns(output_format: FormatOption = None) -> None:
    """Tell what each column of the tables means, and its unit."""
    from clashsim.cli.output import show
    from clashsim.experiments.columns import dictionary

    rows = [{"column": column, "meaning": meaning} for column, meaning in dictionary().items()]
    show(rows, output_format, title="Columns of the tables")
