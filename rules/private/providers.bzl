"""The providers of the rules of a service group."""

ArmVersionInfo = provider(
    doc = "One ARM API version of a service, as its specs describe it.",
    fields = {
        "api_version": "The name of the version in ARM, such as `2020-06-01`.",
        "ir": "The IR file with docs, for outputs that people read.",
        "api": "The IR file without docs, limits on values and notes. An edit that changes no shape leaves it unchanged.",
        "digests": "The file with digests of what each resource declares, for the lock.",
        "flags": "How armload reads the version: pairs of a format such as `--facts=%s` and a file or a string.",
        "limits": "The file as `api`, with limits on values, for what tells which values are valid.",
        "notes": "The file of constructs that the reader could not represent exactly, for the report.",
    },
)

ArmPlanInfo = provider(
    doc = "The plan of a service group.",
    fields = {
        "digests": "A list of the files with the digests of all versions.",
        "flags": "How armplan plans the group, without versions and packages: pairs of a format and a file or a string.",
        "packages": "A dict from the name of a generated Go package to its plan file.",
        "versions": "A list of the ArmVersionInfo of all versions.",
    },
)

ArmSiteInfo = provider(
    doc = "The pages of a service group.",
    fields = {
        "folder": "The name of their folder in a site.",
        "list": "The file with what the pages over all groups say of this one.",
        "pages": "The folder with the pages.",
    },
)

ArmGoInfo = provider(
    doc = "The files of a service group in a Go module.",
    fields = {
        "files": "A list of structs: `file`, and `name`, the import path of its package with the file's name.",
        "importpath": "The import path of the group, without the name of a package.",
        "packages": "A depset of the GoArchiveData of all packages that the files import, directly or not.",
    },
)
