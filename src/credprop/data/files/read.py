"""`read_source`: the reader for a file or folder, chosen by its name."""

from collections.abc import Sequence
from pathlib import Path

from credprop.data.files.columns import table_source
from credprop.data.files.formats import read_table
from credprop.data.files.image_folder import folder_source
from credprop.data.files.npz import npz_source
from credprop.data.files.source import TEXT_ADVICE, Part, Roles, Source, file_error, reading

_ENDINGS = (".csv", ".tsv", ".jsonl", ".parquet", ".csv.gz", ".tsv.gz", ".jsonl.gz", ".npz")


def read_source(  # noqa: PLR0913 (an argument for each role)
    path: str | Path,
    *,
    label: str | None = None,
    features: Sequence[str] = (),
    image: str | None = None,
    text: str | None = None,
    id_column: str | None = None,
    gold: str | None = None,
    group: str | None = None,
    unlabeled: str | None = None,
    part: Part = "train",
    need_labels: bool = True,
) -> Source:
    """The content of a table, an .npz or a folder of images; a one-line ValueError where it cannot be used.

    `label`, `features`, `image`, `text` and `id_column` name columns of a table; `label` and `id_column` also
    arrays of an .npz; `gold` and `group` name columns of labels that are surely right and of rows that belong
    together. `unlabeled` marks rows without a label, or the folder of such images. `part` is for an
    .npz that holds more than one; "both" takes all rows of any source, and the `split` of a table or .npz.
    Without `need_labels`, as for prediction, labels are read only where `label` names them
    or where folders do.
    """
    path = Path(path)
    roles = Roles(
        label=label,
        features=tuple(features),
        image=image,
        text=text,
        id_column=id_column,
        gold=gold,
        group=group,
        unlabeled=unlabeled,
        part=part,
        need_labels=need_labels,
    )
    ending = next((e for e in _ENDINGS if path.name.lower().endswith(e)), None)
    if _is_folder(path):
        if ending:
            raise file_error(path, f"is a folder, not a {ending} file; name a file in it")
        _only_for_tables(path, roles, "a folder of images", id_column)
        return folder_source(path, roles)
    if ending is None:
        raise file_error(
            path, f"unsupported file type; use a folder of images or a file in {' '.join(_ENDINGS)}"
        )
    if ending == ".npz":
        _only_for_tables(path, roles, "an .npz")
        return npz_source(path, roles)
    return table_source(path, ending, roles)


def column_names(path: str | Path) -> tuple[str, ...]:
    """The names of a table's columns in order; none for other files and folders."""
    path = Path(path)
    ending = next((e for e in _ENDINGS if path.name.lower().endswith(e)), ".npz")
    return () if ending == ".npz" or path.is_dir() else tuple(read_table(path, ending).columns)


def _is_folder(path: Path) -> bool:
    """Whether this is a folder; an error where it does not exist."""
    with reading(path):
        try:
            path.stat()
        except FileNotFoundError as error:
            raise file_error(path, "no such file or folder; check the path") from error
        return path.is_dir()


def _only_for_tables(path: Path, roles: Roles, what: str, id_column: str | None = None) -> None:
    given = {"--features": roles.features, "--image": roles.image, "--id": id_column}
    given |= {"--gold": roles.gold, "--group": roles.group}
    if roles.text is not None:
        raise file_error(path, f"is {what}, in which text is not supported; {TEXT_ADVICE}")
    for option, value in given.items():
        if value:
            raise file_error(path, f"is {what}, but {option} is for tables; leave it out")
