"""Declares the packages of one API version of a service group."""

load("@rules_go//go:def.bzl", "go_library")
load(":source.bzl", "arm_convert", "arm_storage", "arm_types")
load(":versions.bzl", "augmented_package", "storage_name")

_KUBERNETES = [
    Label("@io_k8s_apiextensions_apiserver//pkg/apis/apiextensions/v1:apiextensions"),
    Label("@io_k8s_apimachinery//pkg/apis/meta/v1:meta"),
    Label("@io_k8s_apimachinery//pkg/runtime"),
    Label("@io_k8s_apimachinery//pkg/runtime/schema"),
]

_RUNTIME = [
    Label("//runtime/conversion"),
    Label("//runtime/deepcopy"),
    Label("//runtime/reference"),
]

def version_targets(group, p):
    """Declares the API package and the storage package of an API version or an alias.

    Args:
      group: what the packages of a group share.
      p: the package: its name `api`, its ARM API `version`, and `twin`, the packages that an alias has its types from.
    """
    api = p.api
    storage = storage_name(api)

    # The storage packages that the storage package imports. The lock may name a package
    # that is gone, which is left out here: arm_storage compares the neighbours with
    # the plan's, and its error says how to renew the lock.
    links = [n for n in group.lock.get("links", {}).get(storage, []) if n in group.packages]
    sources = {
        api: [api + ".types", api + ".conversion"],
        storage: [storage + ".source"],
    }
    arm_types(
        name = api + ".types",
        check = ":check",
        package = api,
        plan = ":plan",
        version = p.version,
    )
    arm_convert(
        name = api + ".conversion",
        package = api,
        plan = ":plan",
        version = p.version,
    )
    arm_storage(
        name = storage + ".source",
        check = ":check",
        neighbours = links,
        package = storage,
        plan = ":plan",
        version = p.version,
    )
    imports = {
        api: [storage] + p.twin,
        storage: links,
    }
    for package in [api, storage]:
        by_hand = [f for f in group.augment if augmented_package(f) == package]
        deps = _KUBERNETES + _RUNTIME + [":" + n for n in imports[package]]
        if package == storage:
            deps.append(Label("//runtime/propertybag"))
        else:
            # Hooks for the operator name types of the client. Without hooks its
            # edits rebuild nothing here.
            deps += [Label("//runtime/arm")] + ([Label("//runtime/arm/client")] if by_hand else [])
        go_library(
            name = package,
            srcs = sources[package] + by_hand,
            importpath = group.prefix + package,
            tags = group.tags,
            visibility = group.visibility,
            deps = deps,
        )
        native.filegroup(
            name = package + ".laws",
            srcs = sources[package][-1:],  # what has the conversions
            output_group = "laws",
        )
