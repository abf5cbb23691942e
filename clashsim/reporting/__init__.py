"""Turn findings into files, figures, a page and a terminal table."""
