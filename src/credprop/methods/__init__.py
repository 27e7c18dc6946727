"""The methods of the comparison by name. Each takes the data, the settings of a preset and a seed.

Methods do not know the scenario: settings are the same in all cells, except those that depend on the number
of rows. A method may use what every user sees, such as the number of labels of each class.
"""

from functools import partial

from credprop.ccp import PAPER
from credprop.methods.ablations import ABLATIONS
from credprop.methods.acr import ACR
from credprop.methods.batch import Batch
from credprop.methods.blended import Blended
from credprop.methods.cclp import CCLP
from credprop.methods.ccp import CCP
from credprop.methods.classify import Classify
from credprop.methods.comatch import CoMatch
from credprop.methods.control import Control
from credprop.methods.fixmatch import FixMatch
from credprop.methods.fixmatch_da import AlignedFixMatch
from credprop.methods.label_spreading import LabelSpreading
from credprop.methods.learned import Learned, Method
from credprop.methods.logistic import Logistic
from credprop.methods.loop import Objective, learn
from credprop.methods.openmatch import OpenMatch
from credprop.methods.pseudo_label import PseudoLabel
from credprop.methods.seal import SEAL
from credprop.methods.self_training import SelfTraining
from credprop.methods.simclr import SimCLR
from credprop.methods.supcon import SupCon
from credprop.methods.supervised import Supervised

METHODS: dict[str, Method] = {
    "supervised": Supervised(),
    "ccp": Blended(),
    "ccp-alone": CCP(),
    "ccp-untrusted": CCP(trust_labels=False),
    "ccp-paper": CCP(additions=PAPER),
    "ccp-paper-untrusted": CCP(trust_labels=False, additions=PAPER),
    "fixmatch": partial(learn, [FixMatch.start]),
    "fixmatch-da": partial(learn, [AlignedFixMatch.start]),
    "comatch": partial(learn, [CoMatch.start]),
    "openmatch": partial(learn, [OpenMatch.start]),
    "acr": partial(learn, [ACR.start]),
    "simclr": partial(learn, [SimCLR.start, Classify.fine_tune]),
    "supcon": partial(learn, [SupCon.start, Classify.on_top]),
    "cclp": partial(learn, [CCLP.start]),
    "seal": SEAL(),
    "pseudo-label": partial(learn, [PseudoLabel.start]),
    "logistic": Logistic(),
    "label-spreading": LabelSpreading(),
    "self-training": SelfTraining(),
    "control": Control(),
}

VECTORS_ONLY = frozenset({"logistic", "label-spreading", "self-training"})

__all__ = [
    "ABLATIONS",
    "METHODS",
    "VECTORS_ONLY",
    "Batch",
    "Learned",
    "Method",
    "Objective",
    "choose_method",
    "learn",
]


def choose_method(name: str) -> Method:
    """The method or ablation with this name."""
    methods: dict[str, Method] = {**METHODS, **ABLATIONS}
    if name not in methods:
        raise ValueError(f"unknown method {name!r}; use one of {', '.join(methods)}")
    return methods[name]
