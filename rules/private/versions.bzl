"""Computes the names of API versions, which are the names of the generated packages.

The imports of the packages are in the group's lock file: //generator/plan
decides them from the resources in the specs, and the build graph must declare
them before any spec is read.
"""

_DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

def version_error(api_version):
    """Returns why a name is not an ARM API version.

    Args:
      api_version: such as `2020-06-01` or `2020-06-01-preview`.

    Returns:
      a message, or None for an ARM API version.
    """
    parts = api_version.split("-", 3)
    date, suffix = parts[:3], parts[3:]
    digits = [len(p) for p in date if p.isdigit()]
    named = not suffix or suffix[0].isalnum() and suffix[0].islower() and not suffix[0][0].isdigit()
    if digits != [4, 2, 2] or not named:
        return ("%r is not an ARM API version: expected a date such as 2020-06-01, " +
                "or one with a suffix such as 2020-06-01-preview") % api_version
    month, day = int(date[1], 10), int(date[2], 10)
    if month < 1 or month > 12 or day < 1 or day > _DAYS[month - 1]:
        return "%r is not an ARM API version: there is no day %s" % (api_version, "-".join(date))
    return None

def parse(api_version):
    """Parses an ARM API version, for which version_error returns None.

    Args:
      api_version: such as `2020-06-01` or `2020-06-01-preview`.

    Returns:
      a struct: `name` as given, `date` as eight digits, and `suffix`, such as
      `preview`, which is empty for a GA version.
    """
    parts = api_version.split("-", 3)
    return struct(
        name = api_version,
        date = "".join(parts[:3]),
        suffix = parts[3] if len(parts) == 4 else "",
    )

def kube_name(version, patterns):
    """Returns the Kubernetes version of an API version, which is also the name of its Go package.

    Args:
      version: from parse.
      patterns: a dict of the attributes of arm_service_group: `ga_name`, such as
        `v{date}`, `preview_name` for the suffix `preview`, and
        `other_preview_name` for every other suffix.

    Returns:
      the name, such as `v20200601`.
    """
    attribute = {"": "ga_name", "preview": "preview_name"}.get(version.suffix, "other_preview_name")
    return patterns[attribute].replace("{date}", version.date)

def alias_name(version, prefix):
    """Returns the Kubernetes version of an API version's alias, which is also the name of its Go package.

    Args:
      version: from parse.
      prefix: such as `v1alpha1api`.

    Returns:
      the name, such as `v1alpha1api20200601`. It keeps the suffix of
      a preview, because the GA version of the same date may have an alias with
      the same prefix.
    """
    return prefix + version.date + version.suffix

def storage_name(name):
    """Returns the name of the storage version of a Kubernetes version."""
    return name + "storage"

def augmented_package(file):
    """Returns the package that a hand-written file is compiled into.

    Args:
      file: the file's path within the group.

    Returns:
      the package's name, or None if the file is not augment/<package>/<file>.go.
    """
    parts = file.split("/")
    return parts[1] if len(parts) == 3 and parts[0] == "augment" and parts[2].endswith(".go") else None

def document(entry):
    """Returns the document that an entry of a version names.

    Args:
      entry: a document's name or label, or one with its format before it, such as `jsonschema:specs/x.json`.

    Returns:
      a struct with `name` and `format`. The format is empty if the entry does not have one.
    """
    format, colon, name = entry.partition(":")
    if colon and format.isalnum():
        return struct(name = name, format = format)
    return struct(name = entry, format = "")
