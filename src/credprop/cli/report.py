"""The report of a RUN: what it is drawn from is kept beside it, so that it can be drawn again."""

import json
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from jinja2 import TemplateError

from credprop import __version__
from credprop.data.dataset import Rows
from credprop.estimator import CCPClassifier
from credprop.estimator.saved_folder import read_config
from credprop.estimator.serialization import in_json
from credprop.files import write_whole
from credprop.report import Evidence, make_content, render
from credprop.training import embed

if TYPE_CHECKING:
    from credprop.cli.fit_job import Job


def write_report(
    out: Path, classifier: CCPClassifier, job: "Job", metrics: dict[str, Any], rows: Rows
) -> None:
    """Write `report.json` and `report.html`; `rows` are those of the job as the network takes them."""
    refined = classifier.refined_
    evidence = Evidence(
        title=job.title,
        kind=job.kind if job.pictures is None else "images",
        classes=[str(label) for label in refined.classes],
        given=refined.given,
        q=refined.q,
        frame=classifier.to_frame(job.ids),
        opinion=refined.opinion,
        embedding=embed(classifier.model_, rows).numpy(),
        x=job.x if job.pictures is None else job.pictures,
        texts=job.x if job.kind == "text" else None,
        columns=job.columns,
        history=classifier.history_,
        watched=list(classifier.watch),
        truth=_codes(refined.classes.tolist(), job.truth),
        metrics=metrics,
        settings=in_json(vars(classifier.settings_)) | {"seed": classifier.seed_},
        command=shlex.join(["credprop", *sys.argv[1:]]),
        version=__version__,
    )
    content = make_content(evidence)
    write_whole(out / "report.json", json.dumps(content))
    write_whole(out / "report.html", render(content))


def rewrite_report(run: Path) -> Path:
    """Draw the page of a finished run again, from what was kept."""
    read_config(run)
    source, page = run / "report.json", run / "report.html"
    try:
        drawn = render(json.loads(source.read_text(encoding="utf-8")))
    except (OSError, ValueError, LookupError, TypeError, AttributeError, TemplateError) as error:
        raise ValueError(f"{source} cannot be read ({error}); fit the run anew") from error
    write_whole(page, drawn)
    return page.resolve()


def _codes(classes: list[Any], truth: list[Any] | None) -> Any:
    if truth is None:
        return None
    place = {label: code for code, label in enumerate(classes)}
    return torch.tensor([place.get(label, -1) for label in truth]).numpy()
