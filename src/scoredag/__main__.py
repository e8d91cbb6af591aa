"""``python -m scoredag`` is the command ``scoredag``."""

from scoredag.cli import run

if __name__ == "__main__":
    run()
