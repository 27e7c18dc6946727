"""However a file is damaged, it is read or it is refused in one line that names it."""

import gzip
import io
import random
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from credprop.data import read_source

TEXT = b'a,y\n1,"cat"\n2,dog\n3,\n'


def good(ending: str) -> bytes:
    """A file of this kind that can be read."""
    file = io.BytesIO()
    frame = pd.DataFrame({"a": [1.0, 2.0, 3.0], "y": ["cat", "dog", None]})
    if ending == "parquet":
        frame.to_parquet(file)
    elif ending == "npz":
        np.savez_compressed(file, X=np.arange(6.0).reshape(3, 2), y=[0, 1, 2], split=["train"] * 3)
    elif ending in ("png", "jpeg", "gif"):
        Image.fromarray(np.arange(96, dtype=np.uint8).reshape(4, 8, 3)).save(file, ending)
    elif ending == "jsonl":
        return frame.to_json(orient="records", lines=True).encode()
    else:
        return gzip.compress(TEXT) if ending == "csv.gz" else TEXT
    return file.getvalue()


def damaged(data: bytes, chance: random.Random) -> bytes:
    """Bytes changed, left out, put in, or cut off at the end."""
    out = bytearray(data)
    for _ in range(chance.choice([1, 1, 2, 5])):
        at = chance.randrange(len(out) + 1)
        kind = chance.randrange(4)
        if kind == 3:
            del out[at:]
        else:
            new = bytes(
                chance.choice(b'",\n\0;{}[]-1eE.\xff\xc3 \x80') for _ in range(chance.randrange(1, 4))
            )
            out[at : at + (0, 1, 8)[kind]] = new if kind < 2 else b""
    return bytes(out)


@pytest.mark.parametrize("ending", ["csv", "csv.gz", "jsonl", "parquet", "npz", "png", "jpeg", "gif"])
def test_a_damaged_file_is_read_or_refused_in_one_line(tmp_path: Path, ending: str) -> None:
    chance = random.Random(0)
    data = good(ending)
    image = ending in ("png", "jpeg", "gif")
    path = tmp_path / f"t.{ending}"
    refused = []
    for _ in range(80):
        path.write_bytes(damaged(data, chance))
        try:
            read_source(
                tmp_path if image else path,
                label=None if ending == "npz" else "y",
                need_labels=not image,
            )
        except ValueError as error:
            refused.append(str(error))
    assert refused
    assert [message for message in refused if str(path) not in message] == []
    assert [message for message in refused if len(message.splitlines()) != 1] == []
    assert max(map(len, refused)) < len(str(path)) + 400
