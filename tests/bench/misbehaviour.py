"""Work that goes wrong in every way, for processes of their own."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def misbehave(run):
    """Do what the run's label says."""
    return globals()[run.label](run)


def fine(run):
    print("noise on the terminal")
    os.write(2, b"more noise")
    return run.identity | {"status": "done", "reason": ""}


def hang(run):
    time.sleep(600)


def hang_in_a_child(run):
    """Start a process that outlives a polite parent, and say where it is."""
    code = "import os, sys, time; open(sys.argv[1], 'w').write(str(os.getpid())); time.sleep(600)"
    subprocess.run([sys.executable, "-c", code, run.data_options["pid_file"]], check=True)


def litter(run):
    """Hang with a file in the folder for temporary ones, as a peer does."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "data").write_text("large")
        Path(run.data_options["seen"]).write_text(folder)
        time.sleep(600)


def ignore_signals(run):
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    time.sleep(600)


def crash(run):
    os.kill(os.getpid(), signal.SIGSEGV)


def leave(run):
    os._exit(3)
