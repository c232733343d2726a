"""Declares everything that is generated from the specs of one service."""

load("@rules_go//go:def.bzl", "go_library")
load(":command.bzl", "update_message")
load(":config.bzl", "arm_config")
load(":crd.bzl", "arm_crd")
load(":go_module.bzl", "arm_go_files")
load(":group_tests.bzl", "group_tests", "version_tests")
load(":group_version.bzl", "version_targets")
load(":hooks.bzl", "arm_hooks")
load(":load.bzl", "arm_load")
load(":lock.bzl", "arm_check", "arm_lock")
load(":plan.bzl", "arm_plan")
load(":refusals.bzl", "refusals")
load(":renames.bzl", "arm_renames")
load(":report.bzl", "arm_graph", "arm_pages", "arm_report")
load(":samples.bzl", "arm_samples")
load(":scheme.bzl", "arm_scheme")
load(":site.bzl", "arm_group_site")
load(":versions.bzl", "alias_name", "document", "kube_name", "parse", "storage_name")

def arm_service_group(
        name,
        group,
        provider,
        config,
        versions,
        lock,
        importpath = None,
        augment = [],
        specs = "tree",
        ga_name = "v{date}",
        preview_name = "v{date}alpha1",
        other_preview_name = "v0alpha{date}",
        aliases = {},
        nogo = False,
        visibility = ["//visibility:public"]):
    """Declares the packages, CRDs and tests of one ARM service.

    Targets: one with the name of the service, which builds its packages and CRDs; a go_library for each Kubernetes
    version and each storage version, `:sources` with the Go files of all of them, `:scheme`, `:pairs_test`,
    `:hooks_test` if there is an augment, `:crds`, `:sample`, `:graph`, `:report`, `:site`, and the commands
    `:lock.update` and `:renames`.

    Args:
      name: the service's short name.
      group: the Kubernetes API group, such as `cache.azure.armature.dev`.
      provider: the ARM resource provider, such as `Microsoft.Cache`.
      config: the group.yaml.
      versions: a dict from each ARM API version to its documents: Swagger, bicep
        types, JSON schemas of deployment templates, or several of these. If a
        document does not show its format, the entry begins with it:
        `jsonschema:specs/x.json`. The entry of a file that the documents only
        refer to begins with `ref:`. The list may be empty if
        `specs/<version>.facts.json` has the facts of the version.
      lock: LOCK from the group's lock.bzl.
      importpath: the Go import path of this folder, such as
        `example.com/apis/cache`. That of a package has its name in addition.
      augment: hand-written Go files, as augment/<package>/<file>.go: hooks, which
        the conversions of the package or the operator call. They may import the
        packages that the generated code imports; those of an API version may
        import runtime/arm and runtime/arm/client, too. A test compares what
        conversions do with the golden files in testdata/hooks.
      specs: `tree` for documents in this repository, or SPECS of the module's own
        specs, for names below ARMATURE_SPECS: the repository
        `<name of the module>_specs` of the extension `specs` has it in specs.bzl.
        Each version of published specs needs the file with its facts. Descriptions
        come from the specs, if there is a checkout.
      ga_name: pattern of the Kubernetes name of a GA version.
      preview_name: pattern of the Kubernetes name of a preview, whose suffix is `preview`.
      other_preview_name: pattern of the Kubernetes name of a preview with another
        suffix, such as `privatepreview`. It differs from preview_name, because
        there may be a preview of the same date.
      aliases: for each older prefix of Kubernetes names, such as `v1alpha1api`, the
        ARM API versions for which group.yaml lists an alias of any resource. An
        alias has the prefix before its date. It is kept for clients and objects
        that have it.
      nogo: whether the analyzer of `go_sdk.nogo`, if there is one, looks at the
        generated packages. By default it looks at what people write.
      visibility: the visibility of all targets.
    """
    patterns = {"ga_name": ga_name, "preview_name": preview_name, "other_preview_name": other_preview_name}
    facts = {
        f.removeprefix("specs/").removesuffix(".facts.json"): f
        for f in native.glob(["specs/*.facts.json"], allow_empty = True)
    }
    update = update_message(native.package_name())
    messages = refusals(importpath, specs, versions, facts, update, patterns, augment, aliases)
    if messages:
        fail("arm_service_group %s:\n%s" % (name, "\n".join(messages)))
    parsed = [parse(v) for v in versions]
    kube = {v.name: kube_name(v, patterns) for v in parsed}

    # The API packages: the API version of each, and for an alias the package that it has its types from.
    published = [
        struct(api = kube[v.name], version = v.name, twin = [])
        for v in parsed
    ] + [
        struct(api = alias_name(parse(v), prefix), version = v, twin = [storage_name(kube[v])])
        for prefix, of_prefix in aliases.items()
        for v in of_prefix
    ]
    apis = [p.api for p in published]
    packages = apis + [storage_name(p) for p in apis]

    # The tags of generated Go packages.
    tags = [] if nogo else ["no-nogo"]

    native.exports_files([config], visibility = visibility)
    if specs == "tree":
        _examples([document(entry).name for entries in versions.values() for entry in entries])

    # The facts and the documents, from which the stand-in for ARM knows the resources.
    native.filegroup(
        name = "documents",
        srcs = facts.values() + depset([
            file
            for entries in versions.values()
            for file in _documents(specs, entries)[0]
            if "arm-json-schema/" not in str(file)
        ]).to_list(),
        visibility = [Label("//cli:__subpackages__"), Label("//tests:__subpackages__"), Label("//tools:__subpackages__")],
    )

    # What a program knows of the resources. Published documents are too large for that, and their facts say enough.
    native.filegroup(
        name = "facts",
        srcs = facts.values() + ([] if specs != "tree" else depset([
            file
            for entries in versions.values()
            for file in _documents(specs, entries)[0]
            if "arm-json-schema/" not in str(file)
        ]).to_list()),
        visibility = visibility,
    )

    prefix = importpath + "/"
    names = lock.get("names")
    arm_config(name = "config", config = config, names = json.encode(names) if names else "", provider = provider)
    for v in parsed:
        documents, absent = _documents(specs, versions[v.name])
        arm_load(
            name = v.name,
            absent = absent,
            api_version = v.name,
            config = ":config",
            documents = documents,
            facts = facts.get(v.name),
            provider = provider,
            update = update,
        )
    loads = [v.name for v in parsed]

    if augment:
        arm_hooks(name = "hooks", srcs = augment)
    hooks = ":hooks" if augment else None
    arm_plan(
        name = "plan",
        config = config,
        ga_name = ga_name,
        group = group,
        hooks = hooks,
        import_prefix = prefix,
        packages = packages,
        other_preview_name = other_preview_name,
        preview_name = preview_name,
        provider = provider,
        versions = loads,
    )
    arm_check(
        name = "check",
        config = config,
        hooks = hooks,
        lock = "lock.bzl",
        plan = ":plan",
    )
    arm_lock(
        name = "lock.update",
        config = ":config",
        lock = "lock.bzl",
        plan = ":plan",
        # As for renames, below.
        tags = ["manual"],
        visibility = [Label("//tests:__subpackages__")],
    )
    arm_renames(
        name = "renames",
        config = config,
        plan = ":plan",
        # Only `bazel run` needs its tool, so no build of the whole group makes it.
        tags = ["manual"],
        versions = loads,
        visibility = [Label("//tests:__subpackages__")],
    )

    of_group = struct(
        apis = apis,
        augment = augment,
        group = group,
        lock = lock,
        packages = packages,
        prefix = prefix,
        tags = tags,
        visibility = visibility,
    )
    for p in published:
        version_targets(of_group, p)
        version_tests(of_group, p)

    native.filegroup(
        name = "sources",
        srcs = [p + ".types" for p in apis] + [p + ".conversion" for p in apis] +
               [storage_name(p) + ".source" for p in apis] + [p + ".tests" for p in apis],
        visibility = visibility,
    )

    tests = {api + ".tests": api for api in apis} | {"pairs.source": "scheme"}
    arm_go_files(
        name = "go",
        import_prefix = prefix,
        libraries = packages + ["scheme"],
        tests = tests | {package + ".laws": package + "/testdata" for package in packages},
        visibility = visibility,
    )

    # What the packages and CRDs are made from, for tests of all groups.
    native.filegroup(
        name = "shapes",
        srcs = loads + [":plan", "lock.bzl"],
        visibility = [Label("//tests:__subpackages__")],
    )
    arm_scheme(
        name = "scheme.source",
        group = group,
        import_prefix = prefix,
        packages = packages,
    )
    go_library(
        name = "scheme",
        srcs = ["scheme.source"],
        importpath = prefix + "scheme",
        tags = tags,
        visibility = visibility,
        deps = [":" + p for p in packages] + [Label("@io_k8s_apimachinery//pkg/runtime")],
    )
    group_tests(of_group)
    arm_crd(
        name = "crds",
        lock = "lock.bzl",
        plan = ":plan",
        versions = loads,
        visibility = visibility,
    )

    given = native.glob(["samples.yaml"], allow_empty = True)
    arm_samples(
        name = "sample",
        given = given[0] if given else None,
        plan = ":plan",
        versions = loads,
        visibility = visibility,
    )
    native.filegroup(
        name = name,
        srcs = packages + ["scheme", "crds"],
        visibility = visibility,
    )

    # A first build has its CRDs sooner without the pages.
    arm_graph(
        name = "graph",
        plan = ":plan",
        tags = ["manual"],
        visibility = visibility,
    )
    arm_report(
        name = "report",
        config = config,
        crds = ":crds",
        graph = ":graph",
        plan = ":plan",
        tags = ["manual"],
        versions = loads,
        visibility = visibility,
    )
    arm_group_site(
        name = "site",
        config = config,
        given = given[0] if given else None,
        plan = ":plan",
        tags = ["manual"],
        versions = loads,
        visibility = visibility,
    )
    arm_pages(
        name = "pages",
        pages = [
            ":graph",
            ":report",
        ],
    )

def _examples(documents):
    """Declares `:examples`: the documents, and the examples beside them. Tests and the demo use them."""
    folders = {d.rpartition("/")[0]: None for d in documents}
    native.filegroup(
        name = "examples",
        srcs = depset(documents).to_list() + native.glob(
            [folder + "/examples/**/*.json" for folder in folders],
            allow_empty = True,
        ),
        visibility = [Label("//cli:__subpackages__"), Label("//tests:__subpackages__"), Label("//tools:__subpackages__")],
    )

def _documents(specs, entries):
    """Returns the files of a version with their formats, by label, and the names of those that the checkout lacks.

    Where one is missing, none is read: the facts say what the version has.
    """
    documents = {d.name: d.format for d in [document(e) for e in entries]}
    if specs == "tree":
        return documents, []
    if specs.files == None:
        return {}, []
    absent = [name for name in documents if name not in specs.files]
    return {} if absent else {specs.label(name): format for name, format in documents.items()}, absent
