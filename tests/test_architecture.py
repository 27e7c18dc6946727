"""The structure of the package: a pure core, imports that point one way, limits on files and functions."""

import ast
from collections import Counter
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "credprop"
FILES = sorted(SOURCE.rglob("*.py"))
NAMES = [str(file.relative_to(SOURCE)) for file in FILES]

# What each part may import of the package, besides itself: arrows point downward only.
LAYERS = [
    {"cli"},
    {"bench", "estimator", "report"},
    {"methods"},
    {"trial"},
    {"ccp", "prepare"},
    {"training"},
    {"networks", "augment", "frozen"},
    {"data"},
    {"functional", "files"},
]


def part(name: str) -> str:
    return name.removesuffix(".py").split("/")[0].split(".")[0]


def imports(tree: ast.Module) -> set[str]:
    found = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    return found | {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}


def layer(of: str) -> int:
    return next(depth for depth, parts in enumerate(LAYERS) if of in parts)


@pytest.mark.parametrize("name", [name for name in NAMES if part(name) == "functional"])
def test_the_core_is_pure(name: str) -> None:
    tree = ast.parse((SOURCE / name).read_text())
    outside = {module.split(".")[0] for module in imports(tree)} - {"credprop"}
    assert outside <= {"torch", "math", "jaxtyping"}
    assert not [node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]


@pytest.mark.parametrize("name", [name for name in NAMES if part(name) != "__init__"])
def test_arrows_point_one_way(name: str) -> None:
    own = part(name)
    used = {
        part(module.removeprefix("credprop."))
        for module in imports(ast.parse((SOURCE / name).read_text()))
        if module.startswith("credprop.")
    } - {"__version__"}
    assert all(layer(other) > layer(own) for other in used - {own})


def test_modules_have_unique_names() -> None:
    counts = Counter(file.name for file in FILES if file.name != "__init__.py")
    assert len([name for name, count in counts.items() if count > 1]) <= 3


@pytest.mark.parametrize("name", NAMES)
def test_files_and_functions_are_within_budget(name: str) -> None:
    text = (SOURCE / name).read_text()
    tree = ast.parse(text)
    assert text.count("\n") <= 300
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    too_long = {
        f.name: f.end_lineno - f.body[0].lineno  # the options of a command are lines of its signature
        for f in functions
        if f.end_lineno
        and f.end_lineno - f.body[0].lineno >= 40 + len((ast.get_docstring(f) or "").splitlines())
    }
    assert not too_long
    public = [
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name[0] != "_"
    ]
    assert len(public) <= 12


@pytest.mark.parametrize("name", NAMES)
def test_everything_public_says_what_it_returns_and_only_the_command_line_prints(name: str) -> None:
    tree = ast.parse((SOURCE / name).read_text())
    public = [n for n in tree.body if isinstance(n, ast.FunctionDef | ast.ClassDef) and n.name[0] != "_"]
    assert not [node.name for node in public if not ast.get_docstring(node)]
    calls = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    prints = [call for call in calls if isinstance(call, ast.Name) and call.id == "print"]
    assert not prints or part(name) == "cli"
