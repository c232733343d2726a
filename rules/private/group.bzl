"""Declares everything that is generated from the specs of one service."""

load("@rules_go//go:def.bzl", "go_library", "go_test")
load(":command.bzl", "ENV", "update_message")
load(":config.bzl", "arm_config")
load(":crd.bzl", "arm_crd")
load(":go_module.bzl", "arm_go_files")
load(":hooks.bzl", "arm_hooks")
load(":load.bzl", "arm_load")
load(":lock.bzl", "arm_check", "arm_lock")
load(":plan.bzl", "arm_plan")
load(":refusals.bzl", "refusals")
load(":renames.bzl", "arm_renames")
load(":report.bzl", "arm_graph", "arm_pages", "arm_report")
load(":samples.bzl", "arm_samples")
load(":scheme.bzl", "arm_scheme")
load(":source.bzl", "arm_convert", "arm_storage", "arm_types")
load(":tests.bzl", "arm_goldens", "arm_laws", "arm_pairs")
load(":versions.bzl", "alias_name", "augmented_package", "document", "kube_name", "parse", "storage_name")

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

# The environment of a test of laws: the command for messages, and a garbage collector that runs less often, because
# such a test allocates much and keeps little.
_LAWS_ENV = ENV | {"GOGC": "400"}

# A timeout ends a test that hangs: how long a test takes depends on what else the machine does.
_TIMEOUT = "eternal"

# What `build` leaves out (.bazelrc): a fifth of the time of building a group would go into linking its tests.
_TEST_TAG = "generated-test"

# The greatest number of processes for the test of all pairs.
_SHARDS = 4

# With more kinds than this an API version and the storage version behind it are tested in two processes: on many
# machines the largest test would take longer than all else.
_KINDS_OF_ONE_PROCESS = 16

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
    `:hooks_test` if there is an augment, `:crds`, `:sample`, `:graph`, `:report`, and the commands `:lock.update` and
    `:renames`.

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

    # The tags of generated Go packages, and of their tests.
    tags = [] if nogo else ["no-nogo"]
    test_tags = tags + [_TEST_TAG]

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

    # The storage packages that each package imports. The lock may name a package
    # that is gone, which is left out here: arm_storage compares the neighbours with
    # the plan's, and its error says how to renew the lock.
    links = {p: [n for n in lock.get("links", {}).get(p, []) if n in packages] for p in packages}
    for p in published:
        api = p.api
        storage = storage_name(api)
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
            neighbours = links[storage],
            package = storage,
            plan = ":plan",
            version = p.version,
        )
        imports = {
            api: [storage] + p.twin,
            storage: links[storage],
        }
        kinds = len([r for r in lock.get("resources", {}).values() if api in r["versions"]])
        for package in [api, storage]:
            by_hand = [f for f in augment if augmented_package(f) == package]
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
                importpath = prefix + package,
                tags = tags,
                visibility = visibility,
                deps = deps,
            )
            native.filegroup(
                name = package + ".laws",
                srcs = sources[package][-1:],  # what has the conversions
                output_group = "laws",
            )
        arm_laws(
            name = api + ".tests",
            api = api,
            import_prefix = prefix,
            storage = storage,
        )
        go_test(
            name = api + "_test",
            timeout = _TIMEOUT,
            srcs = [api + ".tests"],
            data = [api + ".laws", storage + ".laws"],
            env = _LAWS_ENV,
            rundir = native.package_name() + "/" + api,
            shard_count = 2 if kinds > _KINDS_OF_ONE_PROCESS else None,
            tags = test_tags,
            deps = [
                ":" + api,
                ":" + storage,
                Label("//runtime/laws"),
            ],
        )

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
    arm_pairs(
        name = "pairs.source",
        group = group,
        import_prefix = prefix,
        packages = apis,
    )
    go_test(
        name = "pairs_test",
        timeout = _TIMEOUT,
        srcs = ["pairs.source"],
        data = [p + ".laws" for p in apis],
        env = _LAWS_ENV,
        # A folder beside those of the packages.
        rundir = native.package_name() + "/" + apis[0],
        shard_count = min(len(apis), _SHARDS),
        tags = test_tags,
        deps = [
            ":scheme",
            Label("//runtime/laws"),
        ],
    )
    if augment:
        arm_goldens(
            name = "hooks.source",
            import_prefix = prefix,
        )
        go_test(
            name = "hooks_test",
            timeout = _TIMEOUT,
            srcs = ["hooks.source"],
            data = [":plan"] + [p + ".laws" for p in apis] + native.glob(["testdata/hooks/**/*.json"], allow_empty = True),
            env = _LAWS_ENV,
            tags = test_tags,
            deps = [
                ":scheme",
                Label("//generator/hooks"),
            ],
        )
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
