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
    """Classifier for partly labeled data, even with wrong labels.

    Contrastive Credibility Propagation: a network learns which samples are alike, labels spread along that
    similarity together with their credibility, and a classifier learns from the refined labels.

    Parameters
    ----------
    encoder : str, nn.Module or frozen encoder, default="auto"
        A network to train: "mlp" for vectors; "resnet-small", "wrn-28-2" or "wrn-28-8" for images; "text" for
        texts; or a module that turns a batch (of token ids, for texts) into one vector per sample; it is
        copied. Or a frozen encoder, whose vectors an MLP gets: "sentence" or "sentence:MODEL" for texts,
        "pretrained" or "pretrained:MODEL" for images, or what `credprop.frozen.choose_frozen` makes of your
        module. Or the import path `module:function` of a function that returns one of these. "auto": an MLP
        for vectors, "resnet-small" for images; for texts "sentence" if it and its weights are installed, else
        "text". `preparation_.reason` says which one, and why.
    vectors : str or path, optional
        Word vectors for the text network to start from: "bpemb" (English), "bpemb:ru" and the like, or a file
        in word2vec format.
    augment : str or callable, default="auto"
        "auto", "vectors", "images", "text", "hide", "none", `module:function`, or any callable
        `(x, generator) -> x` on a whole batch.
    preset : str, default="auto"
        Where all other settings come from. "auto" suits the data; "cifar10", "cifar100" and, for the text
        network, "text-ag-news", "text-dbpedia", "text-rotten-tomatoes", "text-yahoo" are the paper's.
    trust_labels : bool, default=True
        True keeps the given labels. False refines them like all others, because some may be wrong.
    max_iter : int, optional
        Number of CCP iterations; by default the preset's.
    budget : float, default=1.0
        Multiple of the preset's epochs: 0.2 for a quick first look.
    settings : mapping, optional
        Any field of `credprop.ccp.Settings` by name, in place of the preset's value.
    unlabeled_label : object, default=-1
        What marks unlabeled rows in `y`, besides None, NaN and empty text, which always do.
    device : str, optional
        A device as torch names it; by default the fastest available.
    precision : {"float32", "bfloat16"}, default="float32"
        Precision in which the networks compute.
    checkpoint : path, optional
        File in which the run is saved after every epoch, and from which an interrupted run continues.
    watch : sequence of int, default=()
        Rows whose credibility is recorded in `history_` at every epoch.
    callback : callable, optional
        Called with a `credprop.ccp.Progress` after every epoch, and while rows are encoded.
    random_state : int, RandomState instance or None, default=None
        The same integer gives the same result, bit for bit, on the same machine.

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
        Class probabilities of every row.
    labeled_iter_ : ndarray of shape (n,)
        0 where a label was given, m for the iteration that labeled the row, -1 for never.
    outlier_score_ : ndarray of shape (n,)
        Angle to the nearest labeled row, 0..1; a half circle is 1.
    refined_ : Refined
        All of these together.
    n_iter_ : int
        Number of CCP iterations.
    termination_condition_ : str
        "max_iter" after all iterations; "abstained" if there were none, because shuffled labels would spread
        as well as the given ones, and the classifier learned from the given labels only.
    history_ : list of dict
        One row per epoch: losses, learning rate, and at the end of an iteration what became of the labels.
    model_ : nn.Module
        The networks.
    settings_ : credprop.ccp.Settings
        All settings of the run.
    seed_ : int
        Seed of the run.
    n_steps_ : int
        Number of gradient steps in all phases together.
    preparation_ : credprop.prepare.Preparation
        How rows become input of the network; `reason` says why.
    sample_shape_, n_features_in_, feature_names_in_
        Shape of a row; number and names of the features, as in scikit-learn. Texts have none.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import make_blobs
    >>> from credprop import CCPClassifier
    >>> X, truth = make_blobs(90, n_features=4, cluster_std=0.5, random_state=0)
    >>> y = np.where(np.arange(90) < 15, truth, -1)  # 15 labels, 75 unlabeled rows
    >>> clf = CCPClassifier(budget=0.1, random_state=0).fit(X, y)
    >>> clf.predict(X[-6:])
    array([1, 1, 1, 0, 0, 2])
    >>> bool((clf.transduction_ == truth).all())
    True
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
            True labels, for measuring only: `history_` then has the accuracy of the refined labels. Nothing
            is learned from them. Rows of no known class are marked like unlabeled ones.

        Returns
        -------
        self
        """
        self.learn(make_fit_inputs(self, X, y, truth))
        return self

    def learn(self, inputs: FitInputs) -> Float[Tensor, "n d"]:
        """Embedding of all rows, after learning from `inputs`, which `make_fit_inputs` prepared."""
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
        """Set the attributes that say what is known of every sample, from `refined`."""
        self.refined_ = refined
        self.classes_ = refined.classes
        self.transduction_ = refined.labels
        self.credibility_ = refined.credibility
        self.credibility_vectors_ = refined.q
        self.label_distributions_ = refined.distributions
        self.labeled_iter_ = refined.labeled_iter
        self.outlier_score_ = refined.outlier_score

    def predict_proba(self, X: Any) -> np.ndarray:  # noqa: N803
        """Class probabilities of new rows.

        Parameters
        ----------
        X : array-like, frame or texts
            Rows of the kind that the classifier was fitted on.

        Returns
        -------
        ndarray of shape (n, k), columns in the order of `classes_`
        """
        check_is_fitted(self)
        return predict_logits(self.model_, prepared_rows(self, X)).double().softmax(dim=1).numpy()

    def predict(self, X: Any) -> np.ndarray:  # noqa: N803
        """Most probable class of new rows.

        Parameters
        ----------
        X : array-like, frame or texts
            Rows of the kind that the classifier was fitted on.

        Returns
        -------
        ndarray of shape (n,)
        """
        check_is_fitted(self)
        logits = predict_logits(self.model_, prepared_rows(self, X))
        return np.asarray(self.classes_[logits.argmax(dim=1).numpy()])

    def find_label_issues(self) -> Any:
        """One row per given label, with cleanlab's columns.

        Returns
        -------
        DataFrame
            Indexed by the row of `X`, with columns `is_label_issue`, `label_quality` (0..1, lower is worse),
            `given_label` and `predicted_label`.
        """
        check_is_fitted(self)
        return self.refined_.find_label_issues()

    def to_frame(self, ids: Sequence[str] | None = None) -> Any:
        """One row per sample: labels, credibility, verdict and more; see `Refined.to_frame`.

        Parameters
        ----------
        ids : sequence of str, optional
            Values of the column `id`; by default the row numbers from 0.
        """
        check_is_fitted(self)
        return self.refined_.to_frame(ids)

    def save(self, folder: str | Path) -> Path:
        """Folder with the model and all that was learned: safetensors, JSON and csv, no pickle.

        Parameters
        ----------
        folder : path
            Folder to write; it is made if it does not exist.
        """
        check_is_fitted(self)
        return persistence.save(self, Path(folder))

    @classmethod
    def load(cls, folder: str | Path, *, encoder: Any = None, allow_import: bool = False) -> Self:
        """The classifier that `save` wrote.

        Parameters
        ----------
        folder : path
            Folder that `save` wrote, or a run folder of the command line.
        encoder : nn.Module or frozen encoder, optional
            For a classifier with a custom encoder: a module of the same architecture, which gets the saved
            weights; or the frozen encoder itself.
        allow_import : bool, default=False
            Instead of `encoder`: import the code that made it, from the path that the folder names. This
            executes code: use only for folders that you trust.
        """
        return persistence.load(cls, Path(folder), encoder, allow_import)  # type: ignore[no-any-return]
