"""Names and order of API versions, as far as the build graph depends on them.

//generator/plan decides which version is the hub and what converts to what,
from the resources in the specs. The graph must declare the imports between the
generated packages before any spec is read. So it takes the rule for a resource
that every version has, and the lock file says where a group differs.
"""

_DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

def version_error(api_version):
    """Says why a name is no ARM API version.

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
        return "%r is no ARM API version: expected a date such as 2020-06-01, or one with a suffix such as 2020-06-01-preview" % api_version
    month, day = int(date[1], 10), int(date[2], 10)
    if month < 1 or month > 12 or day < 1 or day > _DAYS[month - 1]:
        return "%r is no ARM API version: there is no day %s" % (api_version, "-".join(date))
    return None

def parse(api_version):
    """Reads an ARM API version, for which version_error is None.

    Args:
      api_version: such as `2020-06-01` or `2020-06-01-preview`.

    Returns:
      a struct: `name` as given, `date` as eight digits, `preview` a bool,
      `suffix` of a preview, such as `preview`, and `key`, by which versions sort: a preview before the GA version of its date.
    """
    parts = api_version.split("-", 3)
    digits = "".join(parts[:3])
    preview = len(parts) == 4
    return struct(
        name = api_version,
        date = digits,
        preview = preview,
        suffix = parts[3] if preview else "",
        key = (digits, 0 if preview else 1, api_version),
    )

def kube_name(version, ga_name, preview_name):
    """The Kubernetes version and Go package of an API version.

    Args:
      version: from parse.
      ga_name: the pattern for GA versions, such as `v1beta{date}`.
      preview_name: the pattern for previews.

    Returns:
      the name, such as `v1beta20200601`.
    """
    return (preview_name if version.preview else ga_name).replace("{date}", version.date)

def alias_name(version, alias_prefix):
    """The Kubernetes version and Go package of an API version's alias.

    Args:
      version: from parse.
      alias_prefix: such as `v1alpha1api`.

    Returns:
      the name, such as `v1alpha1api20200601`. It keeps a preview's suffix,
      because under one prefix it may meet the GA version of the same date.
    """
    return alias_prefix + version.date + version.suffix

def storage_name(name):
    """The storage version behind a Kubernetes version."""
    return name + "storage"

def augmented_package(file):
    """The package that a hand-written file is compiled into.

    Args:
      file: its name within the group.

    Returns:
      the package's name, or None if the file is not augment/<package>/<file>.go.
    """
    parts = file.split("/")
    return parts[1] if len(parts) == 3 and parts[0] == "augment" and parts[2].endswith(".go") else None

def default_links(versions):
    """The one version that each converts with if all have the same resources.

    Args:
      versions: results of parse.

    Returns:
      a dict from the name of a version to its neighbour's; the hub has none.
    """
    ordered = sorted(versions, key = lambda v: v.key)
    hub = ordered[-1]
    for v in ordered:
        if not v.preview:
            hub = v
    links = {}
    for i, v in enumerate(ordered):
        if v.key < hub.key:
            later = [w for w in ordered[i + 1:] if v.preview or not w.preview or w == hub]
            links[v.name] = later[0].name
        elif v.key > hub.key:
            links[v.name] = ordered[i - 1].name
    return links
