"""CCPClassifier: validate, call training, expose what was learned."""

import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, Self

import numpy as np
from jaxtyping import Float
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted
from torch import Tensor

from credprop.ccp import Progress, Settings, train
from credprop.estimator import persistence
from credprop.estimator.fit_inputs import FitInputs, make_fit_inputs, prepared_rows
from credprop.estimator.refined import Refined, refined_from
from credprop.prepare import Preparation
from credprop.training import embed, predict_logits

ABSTAINED = (
    "labels were not propagated: randomly shuffled ones would propagate as consistently over these texts, so "
    "the classifier learned from the given labels only, and unlabeled rows stay unlabeled"
)


class CCPClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Classifier for data of which a part is labeled, perhaps badly.

    Contrastive Credibility Propagation: a network learns which samples are alike, labels travel along that
    similarity together with their credibility, and a classifier learns from the refined labels.

    Parameters
    ----------
    encoder : str, nn.Module or frozen encoder, default="auto"
        A network that is trained: "mlp" for vectors, "resnet-small", "wrn-28-2", "wrn-28-8" for images,
        "text" for texts, or any module that turns a batch (of token ids, for texts) into one vector a sample;
        it is copied, never changed. Or a frozen one, whose vectors an MLP learns from: "sentence" or
        "sentence:MODEL" for texts, "pretrained" or "pretrained:MODEL" for images, or what
        `credprop.frozen.choose_frozen` makes of a module of your own. Or the import path `module:function` of
        a function that makes a module or a frozen encoder. "auto": an MLP for vectors, "resnet-small" for
        images; for texts "sentence" where it is installed with its weights, else "text", and
        `preparation_.reason` says which and why.
    vectors : str or path, optional
        Word vectors for the text network to start from: "bpemb" (English), "bpemb:ru" and the like, or a file
        in word2vec's format.
    augment : str or callable, default="auto"
        "auto", "vectors", "images", "text", "hide", "none", `module:function`, or any callable
        `(x, generator) -> x` on a whole batch.
    preset : str, default="auto"
        Where all other settings come from: "auto" suits the data; "cifar10", "cifar100" and, for the text
        network, "text-ag-news", "text-dbpedia", "text-rotten-tomatoes", "text-yahoo" are the paper's.
    trust_labels : bool, default=True
        True: given labels are kept. False: they are refined like all others, for labels that may be wrong.
    max_iter : int, optional
        Number of CCP iterations; by default the preset's.
    budget : float, default=1.0
        Multiple of the preset's epochs: 0.2 for a quick look, 3 for patience.
    settings : mapping, optional
        Any field of `credprop.training.Settings` by name, in place of the preset's.
    unlabeled_label : object, default=-1
        What marks unlabeled rows in `y`, besides None, NaN and empty text, which always do.
    device : str, optional
        As torch names it; by default the best there is.
    precision : {"float32", "bfloat16"}, default="float32"
        In which the networks compute.
    checkpoint : path, optional
        A file in which a run is saved after every epoch, and from which it goes on if it was interrupted.
    watch : sequence of int, default=()
        Rows whose credibility is recorded at every epoch, in `history_`.
    callback : callable, optional
        Called with a `credprop.training.Progress` after every epoch, and while rows are encoded.
    random_state : int, RandomState instance or None, default=None
        The same number gives the same result, bit for bit, on the same machine.

    Attributes
    ----------
    classes_ : ndarray of shape (k,)
        The classes, without the marker of unlabeled rows.
    transduction_ : ndarray of shape (n,)
        Refined label of every row of `X`; the marker where nothing is known.
    credibility_ : ndarray of shape (n,)
        Strength of each refined label, 0..1.
    credibility_vectors_ : ndarray of shape (n, k)
        Credibility of every class for every row.
    label_distributions_ : ndarray of shape (n, k)
        Probabilities of the classes for every row.
    labeled_iter_ : ndarray of shape (n,)
        0 where a label was given, m for the iteration that labeled it, -1 for never.
    outlier_score_ : ndarray of shape (n,)
        0..1, higher is stranger: the angle to the nearest labeled row, a half circle being 1.
    n_iter_ : int
        Number of CCP iterations.
    termination_condition_ : str
        Why it stopped: "max_iter", all iterations were done; "abstained", there were none, for shuffled
        labels would spread as well as the given ones, and the classifier learned from these alone.
    history_ : list of dict
        A row an epoch: losses, rate, and at the end of an iteration what became of the labels.
    model_ : nn.Module
        The networks.
    settings_ : credprop.training.Settings
        All settings of the run.
    n_steps_ : int
        Steps along the gradient in all phases together.
    preparation_ : credprop.prepare.Preparation
        How rows become rows for the network; its `reason` says why so.
    n_features_in_, feature_names_in_
        As everywhere in scikit-learn; texts have none.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from credprop import CCPClassifier
    >>> X, y = load_digits(return_X_y=True)
    >>> y[100:] = -1
    >>> clf = CCPClassifier(random_state=0).fit(X, y)  # doctest: +SKIP
    """

    classes_: np.ndarray
    preparation_: Preparation
    refined_: Refined
    settings_: Settings

    def __init__(  # noqa: PLR0913
        self,
        *,
        encoder: Any = "auto",
        vectors: str | Path | None = None,
        augment: Any = "auto",
        preset: str = "auto",
        trust_labels: bool = True,
        max_iter: int | None = None,
        budget: float = 1.0,
        settings: Mapping[str, Any] | None = None,
        unlabeled_label: Any = -1,
        device: str | None = None,
        precision: Literal["float32", "bfloat16"] = "float32",
        checkpoint: str | Path | None = None,
        watch: Sequence[int] = (),
        callback: Callable[[Progress], None] | None = None,
        random_state: Any = None,
    ) -> None:
        self.encoder = encoder
        self.vectors = vectors
        self.augment = augment
        self.preset = preset
        self.trust_labels = trust_labels
        self.max_iter = max_iter
        self.budget = budget
        self.settings = settings
        self.unlabeled_label = unlabeled_label
        self.device = device
        self.precision = precision
        self.checkpoint = checkpoint
        self.watch = watch
        self.callback = callback
        self.random_state = random_state

    def fit(self, X: Any, y: Any, truth: Any = None) -> Self:  # noqa: N803
        """Learn from labeled and unlabeled rows.

        Parameters
        ----------
        X : array-like of shape (n, d), images of shape (n, c, h, w) or (n, h, w, c), a pandas frame, or texts
            All rows. Images are bytes, or floats in [0, 1]. Texts are a list, array, series or one-column
            frame of strings; missing ones count as empty.
        y : array-like of shape (n,)
            Labels of any type; -1, None, NaN or "" where there is none.
        truth : array-like of shape (n,), optional
            True labels, for measuring only: `history_` then tells how right the refined labels are. Nothing
            is learned from them; rows of no class are marked like unlabeled ones.

        Returns
        -------
        self
        """
        self.learn(make_fit_inputs(self, X, y, truth))
        return self

    def learn(self, inputs: FitInputs) -> Float[Tensor, "n d"]:
        """Learn from rows that were checked and prepared for this classifier; returns their embedding."""
        self.settings_, self.seed_, self.preparation_ = inputs.settings, inputs.seed, inputs.preparation
        result = train(
            inputs.data,
            inputs.settings,
            seed=inputs.seed,
            compute=inputs.compute,
            checkpoint=None if self.checkpoint is None else Path(self.checkpoint),
            watch=self.watch,
            on_progress=self.callback or (lambda progress: None),
        )
        self.model_, self.n_steps_, self.history_ = result.model, result.steps, result.history
        self.n_iter_ = 0 if result.abstained else self.settings_.iterations
        self.termination_condition_ = "abstained" if result.abstained else "max_iter"
        if result.abstained:
            warnings.warn(ABSTAINED, UserWarning, stacklevel=3)
        embedding = embed(result.model, inputs.data.x)
        self.expose(refined_from(result, inputs.label_codes, embedding, self.unlabeled_label))
        return embedding

    def expose(self, refined: Refined) -> None:
        """Set the attributes that tell what is known of every sample."""
        self.refined_ = refined
        self.classes_ = refined.classes
        self.transduction_ = refined.labels
        self.credibility_ = refined.credibility
        self.credibility_vectors_ = refined.q
        self.label_distributions_ = refined.distributions
        self.labeled_iter_ = refined.labeled_iter
        self.outlier_score_ = refined.outlier_score

    def predict_proba(self, X: Any) -> np.ndarray:  # noqa: N803
        """Probabilities of the classes for new rows."""
        check_is_fitted(self)
        logits = predict_logits(self.model_, prepared_rows(self, X))
        return logits.double().softmax(dim=1).numpy()

    def predict(self, X: Any) -> np.ndarray:  # noqa: N803
        """Most probable class of new rows."""
        check_is_fitted(self)
        logits = predict_logits(self.model_, prepared_rows(self, X))
        return np.asarray(self.classes_[logits.argmax(dim=1).numpy()])

    def find_label_issues(self) -> Any:
        """A row for each given label, with cleanlab's columns: is it wrong, how good is it, what else.

        Returns
        -------
        DataFrame indexed by the row of `X`, with columns `is_label_issue`, `label_quality` (0..1, lower is
        worse), `given_label` and `predicted_label`.
        """
        check_is_fitted(self)
        return self.refined_.find_label_issues()

    def to_frame(self, ids: Sequence[str] | None = None) -> Any:
        """A row for every sample: labels, credibility, verdict and what they rest on, as in `labels.csv`."""
        check_is_fitted(self)
        return self.refined_.to_frame(ids)

    def save(self, folder: str | Path) -> Path:
        """Write the model and all that was learned into a folder: safetensors, JSON and csv, no pickle."""
        check_is_fitted(self)
        return persistence.save(self, Path(folder))

    @classmethod
    def load(cls, folder: str | Path, *, encoder: Any = None, allow_import: bool = False) -> Self:
        """The classifier that `save` wrote.

        Parameters
        ----------
        folder : path
        encoder : nn.Module or frozen encoder, optional
            For a classifier with an encoder of your own: one of the same build, which gets its weights; or
            the frozen one itself.
        allow_import : bool, default=False
            Instead of `encoder`: import the code that made it, from the path that the folder names. Only
            for folders that you trust, since importing runs code.
        """
        loaded: Self = persistence.load(cls, Path(folder), encoder, allow_import)
        return loaded


def refine(X: Any, y: Any, **parameters: Any) -> Refined:  # noqa: N803
    """Refined labels with their credibility, and which labels and samples to distrust; no classifier.

    Takes the parameters of `CCPClassifier`. Where labels have nothing to spread along a warning says so, and
    only the given ones come back.

    Returns
    -------
    Refined
        With `labels`, `credibility`, `distributions`, `find_label_issues()` and `to_frame()`.
    """
    settings = dict(parameters.pop("settings", None) or {}) | {"build": None}
    return CCPClassifier(**parameters, settings=settings).fit(X, y).refined_
