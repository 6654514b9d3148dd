"""The command reference, made from the commands themselves: `make docs` writes it, a test compares it."""

from pathlib import Path
from typing import Any

import typer


def reference(app: typer.Typer) -> str:
    """docs/shell/commands.md."""
    lines = [
        "# The shell, command by command",
        "",
        "Made from the commands by `make docs`. [the shell](../shell.md) says what they print.",
    ]
    for name, command in typer.main.get_command(app).commands.items():  # type: ignore[attr-defined]
        arguments = [param for param in command.params if param.param_type_name == "argument"]
        options = [param for param in command.params if param.param_type_name == "option"]
        words = " ".join(map(_word, arguments))
        lines += ["", f"## {name}", "", f"    pagekin {name} {words} [OPTIONS]", "", command.help, ""]
        lines += ["| | |", "|---|---|"]
        lines += [f"| {_cell(param.metavar)} | {_cell(param.help)} |" for param in arguments]
        lines += [f"| {_cell(_option(param))} | {_cell(param.help)}{_default(param)} |" for param in options]
    return "\n".join(lines) + "\n"


def _word(param: Any) -> str:
    word = f"{param.metavar}{'…' if param.nargs == -1 else ''}"
    return word if param.required else f"[{word}]"


def _option(param: Any) -> str:
    flags = "/".join([", ".join(sorted(param.opts, key=len, reverse=True)), *param.secondary_opts])
    value = "" if param.is_flag else f" {param.metavar}"
    return f"`{flags}{value}`"


def _default(param: Any) -> str:
    said = not param.is_flag and param.default not in (None, [], ())
    return f" Default: {param.default}." if said else ""


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    from pagekin.shell.commands import app

    (Path(__file__).parent / "shell" / "commands.md").write_text(reference(app))
