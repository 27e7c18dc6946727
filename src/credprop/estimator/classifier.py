"""CCPClassifier: validate, call training, expose what was learned."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from credprop.ccp import Progress, Settings
from credprop.estimator import persistence
from credprop.estimator.fit_inputs import make_fit_inputs, prepared_rows
from credprop.estimator.learning import learn
from credprop.estimator.new_rows import probabilities
from credprop.estimator.refined import CONFIDENT, Refined
from credprop.prepare import Preparation
from credprop.trial import Certificate


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
    trust_labels : {"auto", True, False}, default="auto"
        True keeps the given labels. False refines them like all others, because some may be wrong. "auto":
        the trial weighs both, and labels that it finds probably wrong are refined; without a trial like True.
    trial : bool, default=True
        Hide given labels in turn to find out how far to believe CCP, the supervised network and linear
        models, and predict with the mean of their calibrated probabilities. False: CCP alone, in a fraction
        of the time, with probabilities that are not calibrated.
    trial_folds : int, optional
        At most so many times labels are hidden: by default four on vectors; once where a network learns from
        images or texts.
    metric : {"accuracy", "balanced-accuracy", "macro-f1"}, default="accuracy"
        What the certificate compares.
    safe : bool, default=True
        Ship the better baseline if the blend is shown to be worse.
    confidence : float, default=0.9
        Confidence from which on the verdict on a row is "trust".
    jobs : int, default=1
        Number of processes for the trial.
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
        Folder in which the run is saved after every epoch, and from which an interrupted run continues.
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
    confidence_ : ndarray of shape (n,)
        Probability that each refined label is right.
    certificate_ : credprop.trial.Certificate or None
        Comparison with the better of the supervised network and a linear model, on labels that were hidden.
    label_noise_ : float or None
        Estimated share of given labels that are wrong.
    trusted_right_ : tuple of float or None
        Of the unlabeled rows with the verdict "trust": the share expected to be right, with a 95 % interval.
    labeled_embedding_ : ndarray of shape (g, d)
        Embedding of the labeled rows, for the outlier score of new ones.
    n_iter_ : int
        Number of CCP iterations.
    history_ : list of dict
        One row per epoch: losses, learning rate, and at the end of an iteration what became of the labels.
    model_ : nn.Module
        The blend: networks and linear models that the trial gave weight, with temperatures and weights.
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
    certificate_: Certificate | None
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
        trust_labels: bool | Literal["auto"] = "auto",
        trial: bool = True,
        trial_folds: int | None = None,
        metric: str = "accuracy",
        safe: bool = True,
        confidence: float = CONFIDENT,
        jobs: int = 1,
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
        self.trial, self.trial_folds = trial, trial_folds
        self.metric, self.safe, self.confidence = metric, safe, confidence
        self.jobs = jobs
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

    def fit(self, X: Any, y: Any, truth: Any = None, *, gold: Any = None, groups: Any = None) -> Self:  # noqa: N803
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
        gold : array-like of bool, optional
            Given labels that are surely right: they are always kept.
        groups : array-like, optional
            Rows of the same group, such as copies or frames of a video, are hidden together in the trial.

        Returns
        -------
        self
        """
        learn(self, make_fit_inputs(self, X, y, truth, gold=gold, groups=groups))
        return self

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
        return probabilities(self, prepared_rows(self, X))

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
        return np.asarray(self.classes_[self.predict_proba(X).argmax(axis=1)])

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
