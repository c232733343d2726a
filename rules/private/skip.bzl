"""The targets of a group whose specs are absent."""

def skipped_group(name, packages, visibility):
    """Declares the public targets of a group that cannot be built.

    No platform meets their constraint. Bazel skips them in patterns, and names
    the constraint in the error if somebody builds one of them by name.

    Args:
      name: the group's name.
      packages: the names of the generated Go packages.
      visibility: of all targets.
    """
    for target in packages + [
        name,
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
            name = target,
            target_compatible_with = [Label("//rules:ARMATURE_SPECS_names_a_checkout_of_the_published_specs")],
            visibility = visibility,
        )
