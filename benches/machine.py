"""Names the machine of a measurement, for the line above its table."""
import os
import pathlib
import platform


def processor():
    """The processor's model, with family and model number: virtual machines shorten its name."""
    try:
        lines = pathlib.Path("/proc/cpuinfo").read_text().split("\n\n")[0].splitlines()
        facts = dict(map(str.strip, line.split(":", 1)) for line in lines if ":" in line)
        return f"{facts['model name']} (family {facts['cpu family']}, model {facts['model']})"
    except (OSError, KeyError):
        return platform.processor() or platform.machine()


def caches():
    """The sizes of the second and the third cache, as Linux states them."""
    found = []
    for cache in sorted(pathlib.Path("/sys/devices/system/cpu/cpu0/cache").glob("index*")):
        level = (cache / "level").read_text().strip()
        if level in "23":
            found.append(f"L{level} {int((cache / 'size').read_text().strip().removesuffix('K')):,} KiB")
    return found


def machine():
    """The machine in one line."""
    return ", ".join([f"{os.cpu_count()} cores of {processor()}", *caches()])


if __name__ == "__main__":
    print(machine())
