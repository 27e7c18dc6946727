"""What of a trial is done, so that nothing is done twice, and an interrupted one goes on."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from safetensors import SafetensorError
from safetensors.torch import load, save
from torch import Tensor

from credprop.files import write_whole


@dataclass(frozen=True)
class Ledger:
    """Results of parts by name, in a folder; without one they are lost when the process ends."""

    folder: Path | None
    known: dict[str, Tensor] = field(default_factory=dict)

    @classmethod
    def open(cls, folder: Path | None, identity: Mapping[str, Any]) -> "Ledger":
        """The ledger in a folder; an error if it is of other data, settings or options."""
        if folder is None:
            return cls(None)
        path, now = folder / "identity.json", json.loads(json.dumps(identity))
        if path.exists():
            before = json.loads(path.read_text())
            names = now.keys() | before.keys()
            if other := sorted(name for name in names if now.get(name, ...) != before.get(name, ...)):
                raise ValueError(
                    f"{folder} is of a run with different {', '.join(other)}; delete it to restart"
                )
        else:
            folder.mkdir(parents=True, exist_ok=True)
            write_whole(path, json.dumps(now))
        return cls(folder)

    def get(self, part: str) -> Tensor | None:
        """The result of a part, if it is done."""
        path = self._file(part)
        if part in self.known or path is None or not path.exists():
            return self.known.get(part)
        try:
            return load(path.read_bytes())["result"]
        except (SafetensorError, KeyError) as error:
            raise ValueError(f"{path} is damaged ({error}); delete it to restart") from error

    def put(self, part: str, result: Tensor) -> None:
        """Keep the result of a part, and forget how far it was."""
        self.known[part] = result
        path = self._file(part)
        if path is None:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, save({"result": result.contiguous()}))
        running = self.running(part)
        if running is not None:
            running.unlink(missing_ok=True)

    def running(self, part: str) -> Path | None:
        """The checkpoint of a part under way."""
        return None if self.folder is None else self.folder / f"{part}.running.safetensors"

    def _file(self, part: str) -> Path | None:
        return None if self.folder is None else self.folder / f"{part}.done.safetensors"
