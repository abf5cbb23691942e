# Sourced by the other scripts: makes a virtual environment and installs the project into it, once.
# PYTHON names the interpreter to make it with (python3 if not set; 3.11 or newer).

# make_environment FOLDER WHAT: FOLDER is the environment, WHAT the pip requirement ("." or ".[test]").
make_environment() {
    local folder=$1 what=$2 python=${PYTHON:-python3}
    if [ ! -x "$folder/bin/python" ]; then
        "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
            echo "$python is not Python 3.11 or newer; set PYTHON to one that is" >&2
            return 1
        }
        echo "== making $folder"
        "$python" -m venv "$folder"
    fi
    if [ ! "$folder/.installed" -nt pyproject.toml ] || [ ! "$folder/.installed" -nt constraints.txt ]; then
        echo "== installing clashsim into $folder"
        "$folder/bin/python" -m pip install --quiet --disable-pip-version-check \
            --constraint constraints.txt --editable "$what"
        touch "$folder/.installed"
    fi
}
