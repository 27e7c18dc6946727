"""The commands in `reference/command-line.md`, from the program's own help, whenever the site is built."""

from collections.abc import Iterator
from typing import Any

import typer

from credprop.cli.app import app

PAGE = "reference/command-line.md"
MARK = "<!-- commands -->"


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    """Text of a page; on that of the command line, the commands in place of the mark."""
    return markdown.replace(MARK, commands()) if page.file.src_uri == PAGE else markdown


def commands() -> str:
    """All commands as Markdown, a section each."""
    program: Any = typer.main.get_command(app)
    context = program.context_class(program, info_name="credprop", **program.context_settings)
    sections = [section(program, context)]
    for name in program.list_commands(context):
        command = program.get_command(context, name)
        sections.append(section(command, command.context_class(command, info_name=name, parent=context)))
    return "\n\n".join(sections)


def section(command: Any, context: Any) -> str:
    """Heading, usage, description and parameters of a command."""
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    parts = [f"## {context.command_path}", code(usage), *description(command.help)]
    for kind in ("argument", "option"):
        rows = [p.get_help_record(context) for p in command.get_params(context) if p.param_type_name == kind]
        if rows:
            parts.append(f"**{kind.capitalize()}s**")
            parts += [f"`{name}`\n:   {plain(text)}" for name, text in rows]
    return "\n\n".join(parts)


def description(text: str) -> Iterator[str]:
    """Paragraphs of a help text; its example is code."""
    for paragraph in text.split("\n\n"):
        is_example = paragraph.startswith("Example: ")
        yield code(paragraph.removeprefix("Example: ")) if is_example else plain(paragraph)


def code(line: str) -> str:
    """A line of shell."""
    return f"```sh\n{line}\n```"


def plain(text: str) -> str:
    """Text without HTML, runs of spaces made one."""
    return " ".join(text.replace("<", "&lt;").split())
