"""Semi-supervised classification you can trust when you do not know how good your data is."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from credprop.estimator import CCPClassifier, LabeledKFold, Refined, labeled_scorer, refine

__version__ = "0.2.0"

__all__ = ["CCPClassifier", "LabeledKFold", "Refined", "__version__", "labeled_scorer", "refine"]


def __getattr__(name: str) -> Any:
    """What the package offers, imported on first use: `--help` need not wait for torch."""
    if name in __all__:
        from credprop import estimator

        return getattr(estimator, name)
    raise AttributeError(f"module 'credprop' has no attribute {name!r}")


def __dir__() -> list[str]:
    """The public names."""
    return sorted(__all__)
