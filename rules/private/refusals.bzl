"""What is wrong with a call of arm_service_group.

A function that returns messages, rather than fails, can report all of them at
once, and can be tested.
"""

load(":versions.bzl", "kube_name", "parse", "version_error")

def refusals(specs, versions, schemas, ga_name, preview_name, closures):
    """Says what is wrong with the attributes of a group.

    Args:
      specs: where the specs are.
      versions: a dict from each ARM API version to its Swagger documents.
      schemas: the same for deployment-template schemas.
      ga_name: pattern of the Kubernetes name of a GA version.
      preview_name: pattern of the Kubernetes name of a preview.
      closures: a dict from the documents in the checkout of published specs to
        their closures, or None where there is no checkout.

    Returns:
      a list of messages, empty for a group that can be built.
    """
    messages = []
    if specs not in ("tree", "published"):
        messages.append("specs is %r: expected \"tree\" or \"published\"" % specs)
    for attribute, pattern in {"ga_name": ga_name, "preview_name": preview_name}.items():
        if "{date}" not in pattern:
            messages.append("%s is %r, which lacks {date}: all versions would have one name" % (attribute, pattern))
    names = depset(versions.keys() + schemas.keys()).to_list()
    if not names:
        messages.append("there is no version: name at least one in versions or in schemas, with its documents")
    invalid = [version_error(n) for n in names if version_error(n)]
    messages.extend(invalid)
    if not messages:
        messages.extend(_clashes(names, ga_name, preview_name))
    for documents in [versions, schemas]:
        for version, files in documents.items():
            if not files:
                messages.append("version %s names no document: list them, or drop the version" % version)
            if specs == "published" and closures != None:
                messages.extend([_missing(version, f, closures) for f in files if f not in closures])
    return messages

def _clashes(names, ga_name, preview_name):
    """Reports the API versions that come to one Kubernetes version."""
    messages, seen = [], {}
    for name in names:
        kube = kube_name(parse(name), ga_name, preview_name)
        if kube in seen:
            messages.append("the versions %s and %s both come to the name %s: publish one of them" % (seen[kube], name, kube))
        seen[kube] = name
    return messages

def _missing(version, document, closures):
    """Reports a document that the checkout does not have, and what it has in its place."""
    folder, _, base = document.rpartition("/")
    beside = [d.rpartition("/")[2] for d in closures if d.rpartition("/")[0] == folder]
    parent = folder.rpartition("/")[0]
    elsewhere = [d.rpartition("/")[0] for d in closures if d.startswith(parent + "/") and d.endswith("/" + base)]
    if beside:
        hint = ": that folder has " + ", ".join(beside)
    elif elsewhere:
        hint = ": there is one in " + ", ".join(elsewhere)
    else:
        hint = ", nor anything near it: `bazel run //tools/specs` makes a checkout that has all"
    return "version %s names %s, which the checkout in ARMATURE_SPECS does not have%s" % (version, document, hint)
