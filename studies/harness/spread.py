# SPDX-License-Identifier: Apache-2.0
"""Means over seeds with their intervals, ranks, errors by a factor."""

import math
import random

# How near the paper a number must come, of the bands that tables show.
BANDS = (0.10, 0.15, 0.25, 0.35)


def mean(values):
    return math.fsum(values) / len(values) if values else math.nan


def interval(values, share=0.95, times=1000):
    """The bootstrap's interval of the mean: of that many samples with replacement. The same for the
    same values, on any machine."""
    if len(values) < 2 or any(not math.isfinite(each) for each in values):
        return (math.nan, math.nan)
    draw = random.Random(len(values))
    means = sorted(mean(draw.choices(values, k=len(values))) for _ in range(times))
    cut = int((1 - share) / 2 * times)
    return means[cut], means[-1 - cut]


def within(ratios, band):
    """How many of these ratios lie that near to 1, as a share of the printed number."""
    return sum(abs(each - 1) <= band for each in ratios)


def geometric_error(ratios):
    """The mean factor by which they miss 1; infinite if one of them is."""
    if not ratios or any(each != each for each in ratios):
        return math.nan
    return math.exp(mean([abs(math.log(each)) if 0 < each < math.inf else math.inf
                          for each in ratios]))


def ranks(values):
    """From 1; equal values share the mean of their ranks."""
    order = sorted(range(len(values)), key=lambda at: values[at])
    found = [0.0] * len(values)
    at = 0
    while at < len(order):
        end = at
        while end + 1 < len(order) and values[order[end + 1]] == values[order[at]]:
            end += 1
        for each in order[at:end + 1]:
            found[each] = (at + end) / 2 + 1
        at = end + 1
    return found


def spearman(one, other):
    """Rank correlation over the pairs that both have; NaN of fewer than three."""
    pairs = [(a, b) for a, b in zip(one, other)
             if a is not None and b is not None and a == a and b == b]
    if len(pairs) < 3:
        return math.nan
    left, right = ranks([a for a, _ in pairs]), ranks([b for _, b in pairs])
    middle = (len(pairs) + 1) / 2
    top = sum((a - middle) * (b - middle) for a, b in zip(left, right))
    bottom = math.sqrt(sum((a - middle) ** 2 for a in left) *
                       sum((b - middle) ** 2 for b in right))
    return top / bottom if bottom else math.nan
