"""Processes that take part in a measurement."""
import subprocess


def stop(process):
    """Lets a process end by the end of its input, and ends it if it does not."""
    process.stdin.close()
    try:
        process.wait(timeout=20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
