"""Suggestions in messages."""

def _distance(a, b):
    """Returns how many letters of a must be inserted, deleted or replaced to make b."""
    row = list(range(len(b) + 1))
    for i in range(len(a)):
        next = [i + 1]
        for j in range(len(b)):
            next.append(min(row[j] + (0 if a[i] == b[j] else 1), row[j + 1] + 1, next[j] + 1))
        row = next
    return row[-1]

def did_you_mean(name, candidates):
    """Returns a question about the candidate that a misspelled name most likely means.

    Args:
      name: the name.
      candidates: what it may be.

    Returns:
      `; did you mean "x"?`, or nothing if more than a third of the letters differ from each candidate.
    """
    near = sorted([(_distance(name, c), c) for c in candidates])
    return '; did you mean "%s"?' % near[0][1] if near and near[0][0] <= max(1, len(name) // 3) else ""
