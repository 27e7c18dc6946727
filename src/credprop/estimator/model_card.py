"""The model card in the folder of a saved classifier."""

from typing import TYPE_CHECKING

import numpy as np

from credprop import __version__
from credprop.networks import TextEncoder, TextNetwork

if TYPE_CHECKING:
    from credprop.estimator.classifier import CCPClassifier

_CARD = """---
library_name: credprop
tags: [semi-supervised, noisy-labels]
---
# A credprop {version} classifier

Trained by Contrastive Credibility Propagation on {rows:,} rows, of which {labeled:,} are labeled;
the given labels were {trusted}.

- Classes ({k}): {classes}
- Samples: {shape}
{prepared}- Encoder: {encoder}; {iterations}, {steps:,} gradient steps, seed {seed}
- Refined labels: {refined:,} rows, with a mean credibility of {credibility:.2f}

## Use

```python
from credprop import CCPClassifier
classifier = CCPClassifier.load("this folder")
classifier.predict(rows)
```

`model.safetensors` holds the weights, `config.json` all settings, `labels.csv` a verdict for every
training row, `history.jsonl` a line per epoch, `tokenizer.json` the tokenizer of a text
network. Nothing is pickled.

## Limits

It only knows the classes above: an outlier is assigned to one of them too. Accuracy was measured only
if there is a `metrics.json` that reports it.
"""


def model_card(classifier: "CCPClassifier") -> str:
    """The card of a fitted classifier, as Markdown."""
    refined, settings = classifier.refined_, classifier.settings_
    known = refined.credibility > 0
    return _CARD.format(
        version=__version__,
        rows=len(refined.given),
        labeled=int((refined.given >= 0).sum()),
        trusted="kept" if settings.trust_labels else "refined like all others",
        k=len(refined.classes),
        classes=", ".join(_plain(label) for label in refined.classes[:30])
        + (" ..." if len(refined.classes) > 30 else ""),
        shape=" x ".join(str(size) for size in classifier.sample_shape_) or "texts",
        prepared=f"- Rows: {_quoted(reason)}\n" if (reason := classifier.preparation_.reason) else "",
        encoder=_name(settings.encoder),
        iterations=f"{classifier.n_iter_} iterations",
        steps=classifier.n_steps_,
        seed=classifier.seed_,
        refined=int(known.sum()),
        credibility=float(np.mean(refined.credibility[known])) if known.any() else 0.0,
    )


def _name(encoder: object) -> str:
    """The name of a network, or of its class."""
    if isinstance(encoder, TextNetwork | TextEncoder):
        return "text"
    return encoder if isinstance(encoder, str) else type(encoder).__name__


def _plain(label: object) -> str:
    """A label that cannot be taken for Markdown or HTML."""
    text = " ".join(str(label).split())
    return _quoted(text if len(text) <= 60 else text[:60] + "...") if text else "(blank)"


def _quoted(text: str) -> str:
    return "`" + " ".join(text.split()).replace("`", "'") + "`"
