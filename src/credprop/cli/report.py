"""`credprop report`: the page of a run or of a bench, drawn from the results in its folder."""

import json
import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from jinja2 import TemplateError

from credprop import __version__
from credprop.bench import make_page_data, read_about, read_results
from credprop.bench.results_folder import ABOUT
from credprop.estimator import CCPClassifier
from credprop.estimator.saved_folder import read_config
from credprop.estimator.serialization import to_json
from credprop.files import write_whole
from credprop.report import Evidence, make_content, render
from credprop.report.of_bench import make_comparison, render_comparison

if TYPE_CHECKING:
    from credprop.cli.fit_job import FitJob

BENCH_PAGE = "bench.html"


def rewrite(folder: Path) -> Path:
    """Redraw the page of a run or of a bench; return its path."""
    return write_bench_page(folder) if (folder / ABOUT).is_file() else rewrite_report(folder)


def write_report(
    out: Path, classifier: CCPClassifier, job: "FitJob", metrics: dict[str, Any], embedding: np.ndarray
) -> None:
    """Write `report.json` and `report.html`; `embedding` is that of the training rows."""
    refined = classifier.refined_
    evidence = Evidence(
        title=job.title,
        kind=job.kind if job.images is None else "images",
        classes=[str(label) for label in refined.classes],
        given=refined.given,
        q=refined.q,
        frame=classifier.to_frame(job.ids),
        codes=refined.codes,
        suggested=refined.opinion if refined.probability is None else refined.probability,
        embedding=embedding,
        x=job.x if job.images is None else job.images,
        texts=job.x if job.kind == "text" else None,
        columns=job.columns,
        history=classifier.history_,
        tracked=list(classifier.watch),
        truth=_codes(refined.classes.tolist(), job.truth),
        metrics=metrics,
        settings=to_json(vars(classifier.settings_)) | {"seed": classifier.seed_},
        command=shlex.join(["credprop", *sys.argv[1:]]),
        version=__version__,
    )
    content = make_content(evidence)
    write_whole(out / "report.json", json.dumps(content))
    write_whole(out / "report.html", render(content))


def rewrite_report(run: Path) -> Path:
    """Redraw the report of a finished run from `report.json`; return its path."""
    read_config(run)
    source, page = run / "report.json", run / "report.html"
    try:
        html = render(json.loads(source.read_text(encoding="utf-8")))
    except (OSError, ValueError, LookupError, TypeError, AttributeError, TemplateError) as error:
        raise ValueError(f"{source} cannot be read ({error}); run `credprop fit` again") from error
    write_whole(page, html)
    return page.resolve()


def write_bench_page(out: Path, rows: Sequence[Mapping[str, Any]] | None = None) -> Path:
    """Write the page of a bench from these rows, by default those in its folder; return its path."""
    rows = read_results(out) if rows is None else [dict(row) for row in rows]
    content = make_comparison(make_page_data(rows), read_about(out), __version__)
    write_whole(out / BENCH_PAGE, render_comparison(content))
    return (out / BENCH_PAGE).resolve()


def _codes(classes: list[Any], truth: list[Any] | None) -> Any:
    if truth is None:
        return None
    code_of = {label: code for code, label in enumerate(classes)}
    return np.array([code_of.get(label, -1) for label in truth])
