"""go_library as the BUILD files of third-party modules have it."""

load("@rules_go//go:def.bzl", _go_library = "go_library")

def go_library(tags = [], **kwargs):
    """A go_library that nogo does not analyze, not even for facts about its functions.

    The analysis of third-party code for facts would take longer than its compilation.

    Args:
      tags: of the library.
      **kwargs: of go_library.
    """
    _go_library(tags = tags + ["no-nogo"], **kwargs)
