"""What the rules of a service group tell each other."""

ArmVersionInfo = provider(
    doc = "One ARM API version of a service, as its specs describe it.",
    fields = {
        "api_version": "ARM's name of the version, such as `2020-06-01`.",
        "ir": "The IR file with docs: for what people read.",
        "api": "The IR file without docs and notes: unchanged by an edit that changes no shape.",
        "notes": "The file of what could not be carried over exactly: for the report.",
    },
)

ArmPlanInfo = provider(
    doc = "The plan of a service group.",
    fields = {
        "packages": "A dict from the name of a generated Go package to its plan file.",
    },
)
