"""Models from the hub: their folder on this machine, and a digest of its content."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from credprop.data.error_text import first_line
from credprop.frozen.silence import silenced

_SETTINGS = ["*.json", "*.txt", "*.model"]
_WEIGHTS = ["*.safetensors", "pytorch_model*.bin"]
# Nothing else of a model is downloaded: no code, no weights in other formats.
_SAFELY = [*_SETTINGS, "*.safetensors", "*/pytorch_model.bin"]
_AS_SAVED = [*_SETTINGS, "pytorch_model*.bin", "*/pytorch_model.bin"]


def check_extra(extra: str, *modules: str) -> None:
    """An error that says what to install unless all these modules can be imported."""
    if absent := [module for module in modules if not is_installed(module)]:
        raise ValueError(
            f"{absent[0].replace('_', '-')} is not installed; run pip install 'credprop[{extra}]'"
        )


def is_installed(module: str) -> bool:
    """Whether a module can be imported, without importing it."""
    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):  # None in sys.modules marks a module as blocked
        return False


def find_folder(model: str, remedy: str) -> Path:
    """The folder of a model, which is a folder itself or a name on the hub, downloaded if necessary.

    A downloaded model is not looked up again, so that a name keeps meaning the same weights.
    """
    local = Path(model).expanduser()
    if local.is_dir():
        if not _weights(local):
            raise ValueError(
                f"{local}: contains no weights (model.safetensors); give the folder of a saved model"
            )
        return local.resolve()
    if (found := find_on_disk(model)) is not None:
        return found
    try:
        with silenced():
            folder = _fetch(model)
    except Exception as error:  # the hub's library raises errors of many types
        raise ValueError(
            f"{model!r} is neither a folder nor a model on this machine, and could not be downloaded "
            f"({type(error).__name__}); {remedy}"
        ) from error
    if not _weights(folder):
        raise ValueError(f"{model!r} has no weights that can be read safely (model.safetensors); {remedy}")
    return folder


def find_on_disk(model: str) -> Path | None:
    """The folder of a model that was downloaded before, if it is complete."""
    from huggingface_hub import snapshot_download

    for kinds in (_SAFELY, _AS_SAVED):
        try:
            folder = Path(snapshot_download(model, allow_patterns=kinds, local_files_only=True))
        except (OSError, ValueError):  # not downloaded, incomplete, or not a valid name
            continue
        if _weights(folder):
            return folder
    return None


@contextmanager
def loading(path: Path) -> Iterator[None]:
    """Load a model silently; every error of the library becomes one line about the path."""
    with silenced():
        try:
            yield
        except Exception as error:  # damaged files, models that need remote code, unknown networks
            raise ValueError(f"{path}: cannot be loaded ({first_line(error)}); use another model") from error


def digest_folder(folder: Path) -> str:
    """A digest of the weights and settings in a folder, by file name and content."""
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
    """Download a model: its weights as safetensors, or in torch's format where there are none."""
    from huggingface_hub import snapshot_download

    folder = Path(snapshot_download(model, allow_patterns=_SAFELY))
    return folder if _weights(folder) else Path(snapshot_download(model, allow_patterns=_AS_SAVED))


def _weights(folder: Path) -> list[Path]:
    """The files of weights: the model's own, or those of its first part (0_Kind in sentence-transformers).

    Weights of later parts are not enough: an incomplete download would look like a model.
    """
    return [file for pattern in _WEIGHTS for at in ("", "0_*/**/") for file in folder.glob(at + pattern)]
