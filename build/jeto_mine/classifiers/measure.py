"""How often a classifier is right, with intervals; how a trained one does on new projects. Pure.

A classifier says yes or not: an unsure answer counts as no, as when ETIPs are chosen. Labels that
are unsure themselves are left out.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from jeto_bench.github.model import IssueRef
from jeto_evaluate.statistics.intervals import Interval, wilson_interval
from jeto_mine.classifiers.features import features_of
from jeto_mine.classifiers.labels import Labelled
from jeto_mine.classifiers.lexicon import LEXICON
from jeto_mine.classifiers.logistic import Example, fit
from jeto_mine.classifiers.offline import OfflineClassifier, OfflineModel
from jeto_mine.classifiers.protocol import Classification, IssueText, Label

__all__ = ["FOLDS", "Counts", "Rate", "Training", "count", "cross_validate"]

FOLDS: Final = 10


@dataclass(frozen=True, kw_only=True, slots=True)
class Rate:
    """A share with its Wilson interval.

    Attributes:
        right: Numerator.
        of: Denominator.
    """

    right: int
    of: int

    @property
    def value(self) -> float | None:
        """The share; None of nothing."""
        return self.right / self.of if self.of else None

    @property
    def interval(self) -> Interval | None:
        """95 %; None of nothing."""
        return wilson_interval(self.right, self.of)


@dataclass(frozen=True, kw_only=True, slots=True)
class Counts:
    """What a classifier said, against what is true.

    Attributes:
        true_yes: Said yes, and it is.
        false_yes: Said yes, and it is not.
        true_no: Did not say yes, and it is not.
        false_no: Did not say yes, and it is.
        unsure: Of those it did not say yes to, it was unsure of so many.
    """

    true_yes: int
    false_yes: int
    true_no: int
    false_no: int
    unsure: int

    @property
    def total(self) -> int:
        """Issues."""
        return self.true_yes + self.false_yes + self.true_no + self.false_no

    @property
    def precision(self) -> Rate:
        """Of those it said yes to, the share that is."""
        return Rate(right=self.true_yes, of=self.true_yes + self.false_yes)

    @property
    def recall(self) -> Rate:
        """Of those that are, the share it said yes to."""
        return Rate(right=self.true_yes, of=self.true_yes + self.false_no)

    @property
    def accuracy(self) -> Rate:
        """Share that it was right about."""
        return Rate(right=self.true_yes + self.true_no, of=self.total)


@dataclass(frozen=True, kw_only=True, slots=True)
class Training:
    """How the offline classifier is trained.

    Attributes:
        threshold: Least score of a yes.
        ridge: How much weights are held back towards the lexicon.
        ordinary: Issues that are not about time as far as anybody knows; they count as no.
        ordinary_weight: How much each of them counts, beside 1 for a labelled one.
    """

    threshold: float = 0.6
    ridge: float = 0.1
    ordinary: tuple[IssueText, ...] = ()
    ordinary_weight: float = 0.1

    def model(
        self, labelled: Iterable[tuple[IssueText, bool]], *, without: int = -1
    ) -> OfflineModel:
        """Train on labelled issues, and on the ordinary ones that are not of fold ``without``."""
        examples = [Example(features=features_of(issue), positive=yes) for issue, yes in labelled]
        examples += [
            Example(features=features_of(item), positive=False, weight=self.ordinary_weight)
            for item in self.ordinary
            if fold_of(item.ref) != without
        ]
        return OfflineModel(
            weights=fit(examples, ridge=self.ridge, start=LEXICON), threshold=self.threshold
        )


def count(labels: Mapping[IssueRef, Labelled], answers: Iterable[Classification]) -> Counts:
    """Count answers against labels; both are of the same issues.

    Args:
        labels: By reference, repositories in lower case.
        answers: Of issues that are labelled yes or no.

    Raises:
        KeyError: An answer about an issue without label.
    """
    seen = {(yes, right): 0 for yes in (True, False) for right in (True, False)}
    unsure = 0
    for answer in answers:
        ref = IssueRef(repo=answer.ref.repo.casefold(), number=answer.ref.number)
        yes = answer.label is Label.YES
        seen[yes, yes == (labels[ref].label is Label.YES)] += 1
        unsure += answer.label is Label.UNSURE
    return Counts(
        true_yes=seen[True, True],
        false_yes=seen[True, False],
        true_no=seen[False, True],
        false_no=seen[False, False],
        unsure=unsure,
    )


def cross_validate(
    issues: Sequence[tuple[IssueText, bool]],
    training: Training,
    *,
    helpers: Sequence[tuple[IssueText, bool]] = (),
) -> Iterator[Classification]:
    """Answer for each issue by a model that has seen no issue of its repository.

    Args:
        issues: What is asked, with labels.
        training: How to train.
        helpers: More labelled texts that are only trained on.
    """
    for fold in range(FOLDS):
        asked = [item for item, _ in issues if fold_of(item.ref) == fold]
        if not asked:
            continue
        seen = [pair for pair in (*issues, *helpers) if fold_of(pair[0].ref) != fold]
        yield from OfflineClassifier(training.model(seen, without=fold)).classify(asked)


def fold_of(ref: IssueRef) -> int:
    """The fold of a repository, the same always."""
    digest = hashlib.sha256(ref.repo.casefold().encode()).digest()
    return int.from_bytes(digest[:8], "big") % FOLDS
