# SPDX-License-Identifier: Apache-2.0
"""Straight lines through points, and rows of numbers as one line of text, as archives keep them."""

import statistics


def packed(rows):
    return ";".join(" ".join(str(each) for each in row) for row in rows)


def unpacked(text):
    return [[int(each) for each in row.split()] for row in text.split(";") if row]


def line_of(points):
    """Slope and height of the line of least squares."""
    slope, height = statistics.linear_regression(*zip(*points))
    return slope, height


def straightness(points):
    """R squared."""
    x, y = zip(*points)
    return 1.0 if len(set(y)) == 1 else statistics.correlation(x, y) ** 2


def between(points, slope, low, high):
    """The share of points between two lines of that slope."""
    return sum(low <= y - slope * x <= high for x, y in points) / len(points)
