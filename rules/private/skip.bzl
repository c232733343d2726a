"""The targets of a group whose specs are absent."""

def skipped_group(packages, visibility):
    """Declares the public targets of a group that cannot be built.

    No platform meets their constraint. Bazel skips them in patterns, and names
    the constraint in the error if somebody builds one of them by name.

    Args:
      packages: the names of the generated Go packages.
      visibility: of all targets.
    """
    for name in packages + [
        "scheme",
        "crds",
        "documents",
        "go",
        "graph",
        "report",
        "lock.update",
        "renames",
        "sample",
        "samples",
        "shapes",
        "sources",
    ]:
        native.filegroup(
            name = name,
            target_compatible_with = [Label("//rules:ARMATURE_SPECS_names_a_checkout_of_the_published_specs")],
            visibility = visibility,
        )
