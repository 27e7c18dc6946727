"""Weights on this machine: the folder of a model by its name, and a digest of what lies in it."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from credprop.frozen.silence import hushed

_SETTINGS = ["*.json", "*.txt", "*.model"]
_WEIGHTS = ["*.safetensors", "pytorch_model*.bin"]
# Of a model on the hub nothing else is fetched: no code, no copies of the weights for other programs.
_SAFELY = [*_SETTINGS, "*.safetensors", "*/pytorch_model.bin"]
_AS_SAVED = [*_SETTINGS, "pytorch_model*.bin", "*/pytorch_model.bin"]


def check_extra(extra: str, *modules: str) -> None:
    """An error that says what to install, unless all these modules can be imported."""
    if absent := [module for module in modules if not is_installed(module)]:
        raise ValueError(
            f"{absent[0].replace('_', '-')} is not installed; pip install 'credprop[{extra}]' brings it"
        )


def is_installed(module: str) -> bool:
    """Whether a module could be imported, without doing so."""
    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):  # None among the loaded modules stands for one that is blocked
        return False


def find_folder(model: str, remedy: str) -> Path:
    """The folder of a model: itself a folder, or a name on the hub, fetched unless it is here.

    What is here already is not looked up again, so that a name stands for the same weights from day to day.
    """
    local = Path(model).expanduser()
    if local.is_dir():
        if not _weights(local):
            raise ValueError(
                f"{local}: holds no weights (model.safetensors); give the folder of a saved model"
            )
        return local.resolve()
    if (found := find_on_disk(model)) is not None:
        return found
    try:
        with hushed():
            folder = _fetch(model)
    except Exception as error:  # the network fails in more ways than the hub's library tells of
        raise ValueError(
            f"{model!r} is neither a folder nor among the models on this machine, and could not be fetched "
            f"({type(error).__name__}); {remedy}"
        ) from error
    if not _weights(folder):
        raise ValueError(f"{model!r} has no weights that can be read safely (model.safetensors); {remedy}")
    return folder


def find_on_disk(model: str) -> Path | None:
    """The folder of a model that was fetched from the hub before, if it is complete."""
    from huggingface_hub import snapshot_download

    for kinds in (_SAFELY, _AS_SAVED):
        try:
            folder = Path(snapshot_download(model, allow_patterns=kinds, local_files_only=True))
        except (OSError, ValueError):  # not here or not complete, or no name that the hub could have
            continue
        if _weights(folder):
            return folder
    return None


@contextmanager
def loading(path: Path) -> Iterator[None]:
    """Quiet while a library reads a model; whatever it dislikes is an error of one line about the path."""
    with hushed():
        try:
            yield
        except Exception as error:  # damaged files, code that would have to be trusted, unknown networks
            said = (str(error).strip() or type(error).__name__).splitlines()[0][:160]
            raise ValueError(f"{path}: cannot be loaded ({said}); give another model") from error


def digest_folder(folder: Path) -> str:
    """A digest of weights and settings in a folder, names and contents."""
    digest = hashlib.blake2b(digest_size=16)
    wanted = {file for pattern in (*_SETTINGS, *_WEIGHTS) for file in folder.rglob(pattern)}
    for file in sorted(wanted):
        digest.update(f"{file.relative_to(folder).as_posix()}\n{digest_file(file)}\n".encode())
    return digest.hexdigest()


def digest_file(file: Path) -> str:
    """A digest of a file's content."""
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "blake2b").hexdigest()


def _fetch(model: str) -> Path:
    """Fetched from the hub: weights as safetensors, only where there are none as what torch saved."""
    from huggingface_hub import snapshot_download

    folder = Path(snapshot_download(model, allow_patterns=_SAFELY))
    return folder if _weights(folder) else Path(snapshot_download(model, allow_patterns=_AS_SAVED))


def _weights(folder: Path) -> list[Path]:
    """The weights of a model: its own, or those of the first part, which sentence-transformers calls 0_Kind.

    Those of later parts alone are not enough: fetched without the rest, they would pass for a model.
    """
    return [file for pattern in _WEIGHTS for at in ("", "0_*/**/") for file in folder.glob(at + pattern)]
