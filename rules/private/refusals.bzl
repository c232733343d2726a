"""Checks the attributes of arm_service_group.

The check returns messages instead of failing, so that all of them are reported at
once, and so that it can be tested.
"""

load(
    ":versions.bzl",
    "alias_name",
    "augmented_package",
    "document",
    "kube_name",
    "parse",
    "storage_name",
    "version_error",
)

def refusals(importpath, specs, versions, facts, update, patterns, augment, aliases):
    """Returns what is wrong with the attributes of a group.

    Args:
      importpath: the Go import path of the group's folder, or None.
      specs: where the specs are: `tree` or SPECS of a repository of published ones.
      versions: a dict from each ARM API version to its documents.
      facts: a dict from ARM API versions to the files with their facts.
      update: the command that writes these files.
      patterns: a dict of the attributes with the patterns of Kubernetes names,
        as kube_name takes it.
      augment: hand-written Go files.
      aliases: a dict from each prefix of alias versions to their ARM API versions.

    Returns:
      a list of messages, empty for a group that can be built.
    """
    messages = []
    if not importpath:
        messages.append("importpath is missing: give the Go import path of this folder, which is the module's " +
                        "path in go.mod and then the folder, such as \"example.com/apis/shop\"")
    elif importpath.startswith("/") or importpath.endswith("/") or " " in importpath:
        messages.append(("importpath is %r: expected a Go import path without a slash at its ends, such as " +
                         "\"example.com/apis/shop\"") % importpath)
    published = hasattr(specs, "files")
    if specs != "tree" and not published:
        messages.append("specs is %r: expected \"tree\", or for published specs SPECS, which " % (specs,) +
                        "load(\"@<name of the module>_specs//:specs.bzl\", \"SPECS\") has")
    for attribute, pattern in patterns.items():
        if "{date}" not in pattern:
            messages.append(
                "%s is %r, which lacks {date}: all versions would have the same name" % (attribute, pattern),
            )
    names = versions.keys()
    if not names:
        messages.append("versions is empty: expected at least one ARM API version, with its documents")
    invalid = [version_error(n) for n in names if version_error(n)]
    messages.extend(invalid)
    if not messages:
        messages.extend(_clashes(names, patterns))
        messages.extend(_bad_aliases(names, patterns, aliases))
    if not messages:
        messages.extend(_strays(names, patterns, aliases, augment))
    for version, entries in versions.items():
        files = [document(e).name for e in entries]
        if published and version not in facts:
            messages.append("version %s has no specs/%s.facts.json: `%s` writes it" %
                            (version, version, update))
        elif not files and version not in facts:
            messages.append(("version %s names no documents, and there is no specs/%s.facts.json: list documents, " +
                             "add that file, or drop the version") % (version, version))
        messages.extend([
            "version %s names %s twice: remove one of the entries" % (version, f)
            for i, f in enumerate(files)
            if f in files[:i]
        ])
    messages.extend([
        "there is %s, and versions has no %s: remove the file, or list the version" % (f, version)
        for version, f in facts.items()
        if version not in versions
    ])
    return messages

def _clashes(names, patterns):
    """Returns a message for API versions that have the same Kubernetes version."""
    messages, seen = [], {}
    for name in names:
        kube = kube_name(parse(name), patterns)
        if kube in seen:
            messages.append(
                "the versions %s and %s both have the Kubernetes name %s: publish one of them" %
                (seen[kube], name, kube),
            )
        seen[kube] = name
    return messages

def _bad_aliases(names, patterns, aliases):
    """Returns messages for aliases of unknown versions, and for aliases whose names are taken."""
    messages = []
    for prefix, versions in aliases.items():
        if not (prefix.isalnum() and prefix.islower() and prefix[0].isalpha()):
            messages.append("aliases has the prefix %r: expected small letters and digits, such as \"v1alpha1api\"" % prefix)
        if not versions:
            messages.append(
                "aliases[%r] is empty: list the versions that group.yaml has aliases of, or drop the prefix" % prefix,
            )
        messages.extend([
            "aliases[%r] has %s, which is no version of the group: expected some of %s" % (prefix, v, ", ".join(names))
            for v in versions
            if v not in names
        ])
        messages.extend([
            "aliases[%r] has %s twice: remove one of the entries" % (prefix, v)
            for i, v in enumerate(versions)
            if v in versions[:i]
        ])
    if messages:
        return messages
    taken = {}
    for name in names:
        kube = kube_name(parse(name), patterns)
        taken[kube] = "version " + name
        taken[storage_name(kube)] = "the storage version of " + name
    for prefix, name in _pairs(aliases):
        alias = alias_name(parse(name), prefix)
        if alias in taken:
            messages.append(
                ("the alias of version %s has the Kubernetes name %s, which %s has already: " +
                 "expected another prefix than %r") % (name, alias, taken[alias], prefix),
            )
        taken[alias] = "the alias of version " + name
    return messages

def _pairs(aliases):
    """Returns the prefix and the version of each alias."""
    return [(prefix, version) for prefix, versions in aliases.items() for version in versions]

def _strays(names, patterns, aliases, augment):
    """Returns messages for hand-written files that belong to no package."""
    dates = {kube_name(parse(n), patterns): parse(n).date for n in names}
    dates |= {alias_name(parse(n), prefix): parse(n).date for prefix, n in _pairs(aliases)}
    dates |= {storage_name(package): date for package, date in dates.items()}
    messages = []
    for file in augment:
        package = augmented_package(file)
        if package == None:
            messages.append("augment has %s: expected augment/<package>/<file>.go" % file)
        elif package not in dates:
            near = [p for p, date in dates.items() if date in package]
            messages.append(
                "augment has %s, and there is no package %s: expected one of %s" %
                (file, package, ", ".join(near or dates)),
            )
    return messages
