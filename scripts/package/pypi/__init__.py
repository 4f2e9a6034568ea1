"""Runs Commonplace with the Deno runtime from the PyPI package `deno`."""

import os
import subprocess
import sys
from pathlib import Path

FLAGS = "@FLAGS@"
# Only `connect` reads other programs' settings, and starts Claude Code and this command.
CONNECT_FLAGS = "@CONNECT_FLAGS@"


def _directories() -> "tuple[Path, Path]":
    """Returns the default directories for data and for Deno's cache."""
    home = Path.home()
    if sys.platform == "darwin":
        return (
            home / "Library/Application Support/Commonplace",
            home / "Library/Caches/Commonplace",
        )
    if sys.platform == "win32":
        local = Path(os.environ.get("LOCALAPPDATA") or home / "AppData/Local")
        return local / "Commonplace", local / "Commonplace/Cache"
    data = Path(os.environ.get("XDG_DATA_HOME") or home / ".local/share")
    cache = Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache")
    return data / "commonplace", cache / "commonplace/deno"


def _find_deno() -> str:
    from deno import find_deno_bin

    try:
        return os.path.realpath(find_deno_bin())
    except FileNotFoundError as error:
        sys.exit(f"commonplace: Can't find the Deno runtime: {error}")


def main() -> None:
    """Runs the command line. The program replaces this process, except on Windows."""
    deno = _find_deno()
    args = sys.argv[1:] or ["serve"]
    data, cache = _directories()
    launcher = os.path.realpath(sys.argv[0])
    env = {
        "DENO_DIR": str(cache),
        **os.environ,
        "DENO_NO_UPDATE_CHECK": "1",
        "COMMONPLACE_EXECUTABLE": launcher,
    }
    names_data = any(arg == "--data" or arg.startswith("--data=") for arg in args)
    if not env.get("COMMONPLACE_DATA") and not names_data:
        env["COMMONPLACE_DATA"] = str(data)
        data.parent.mkdir(parents=True, exist_ok=True)
        if args[0] in ("serve", "mcp"):
            print(f"Data  {data}", file=sys.stderr, flush=True)
    app = Path(__file__).resolve().parent / "app"
    flags = [
        flag.replace("=DENO", f"={deno}").replace("LAUNCHER", launcher)
        for flag in (CONNECT_FLAGS if args[0] == "connect" else FLAGS).split(" ")
    ]
    command = [deno, "run", *flags, "--config", str(app / "deno.json"), str(app / "main.js"), *args]
    if sys.platform == "win32":
        sys.exit(subprocess.run(command, env=env).returncode)
    os.execve(deno, command, env)
