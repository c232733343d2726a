"""The files that an administrator applies to a cluster."""

load(":action.bzl", "path_in_package", "run_verb", "verb")

def _arm_release_impl(ctx):
    out = ctx.actions.declare_directory(ctx.label.name)
    archive = ctx.actions.declare_file(ctx.label.name + ".tar.gz")
    args = ctx.actions.args()
    for file in ctx.files.manifests:
        args.add(file, format = "--manifest=" + path_in_package(file) + "=%s")
    folders = {}
    for crds in ctx.attr.crds:
        group = crds.label.package.rpartition("/")[2]
        if group in folders:
            fail(("%s: the groups %s and %s are both called %s, and a release has a folder of that name for each: " +
                  "leave one out, or rename its folder") % (ctx.label, folders[group], crds.label, group))
        folders[group] = crds.label
        args.add_all(crds[DefaultInfo].files, format_each = "--crds=" + group + "=%s", expand_directories = False)
    for samples in ctx.attr.samples:
        group = samples.label.package.rpartition("/")[2]
        args.add_all(samples[DefaultInfo].files, format_each = "--samples=" + group + "=%s", expand_directories = False)
    args.add(ctx.attr.serve, format = "--serve=%s")
    args.add(ctx.attr.namespace, format = "--namespace=%s")
    if ctx.attr.name_prefix:
        args.add(ctx.attr.name_prefix, format = "--name-prefix=%s")
    args.add_all(ctx.attr.kinds, format_each = "--kind=%s")
    args.add_all([ctx.file.image], format_each = "--image=%s", expand_directories = False)
    args.add_all([ctx.file.operator_image], format_each = "--operator-image=%s", expand_directories = False)
    args.add_all([out], format_each = "--out=%s", expand_directories = False)
    args.add(archive, format = "--archive=%s")
    inputs = ctx.files.manifests + ctx.files.crds + ctx.files.samples + [ctx.file.image, ctx.file.operator_image]
    run_verb(ctx, "ArmRelease", args, inputs, [out, archive], "the release")
    return [
        DefaultInfo(files = depset([out, archive])),
        OutputGroupInfo(archive = depset([archive])),
    ]

_arm_release = rule(
    doc = "A folder for kustomize, and a tarball of it, which the output group `archive` has alone.",
    implementation = _arm_release_impl,
    attrs = {
        "crds": attr.label_list(mandatory = True, doc = "The targets `crds` of the groups."),
        "image": attr.label(mandatory = True, allow_single_file = True, doc = "The webhook's arm_image."),
        "kinds": attr.string_list(doc = "Patterns of the kinds to have."),
        "manifests": attr.label_list(
            mandatory = True,
            allow_files = True,
            doc = "The files that do not depend on the groups.",
        ),
        "name_prefix": attr.string(doc = "What precedes the names of objects."),
        "namespace": attr.string(mandatory = True, doc = "The namespace of webhook and operator."),
        "operator_image": attr.label(mandatory = True, allow_single_file = True, doc = "The operator's arm_image."),
        "samples": attr.label_list(mandatory = True, doc = "The targets `sample` of the groups."),
        "serve": attr.string(mandatory = True, doc = "The versions that the CRDs serve."),
        "_tool": verb("armrelease"),
    },
)

def arm_release(
        name,
        image,
        operator_image,
        groups,
        manifests = [Label("//release:manifests")],
        kinds = [],
        name_prefix = "",
        namespace = "armature-system",
        serve = "newest=2",
        tags = None,
        visibility = None):
    """Declares a release: CRDs, webhook, operator and images, ready for a cluster.

    Args:
      name: of the folder, and of the tarball with `.tar.gz` after it.
      image: the arm_image of a webhook for the same groups.
      operator_image: the arm_image of an operator for the same groups.
      groups: the packages of service groups, such as `//apis/cache`.
      manifests: the files that do not depend on the groups, at the same paths
        as in their packages; those of Armature's own release by default.
      kinds: patterns of the kinds to have, such as `Redis*`; all by default.
      name_prefix: what precedes the names of all objects but the CRDs and the
        namespace, such as `azure-`.
      namespace: of webhook and operator.
      serve: the API versions that the CRDs serve of each kind, beside storage
        versions: `newest=2` stands for the newest two stable ones and the
        newest preview, if that is newer; after a move of the hub, the second
        is that of the former hub. Others, such as `2020-06-01`, may follow
        after commas, and `former`: the storage version of the former hub, for
        an operator of the release before. `all` stands for all. The release
        has the CRDs with all versions too, from which `armature serve` makes
        others.
      tags: of the release.
      visibility: of the release.
    """
    labels = [native.package_relative_label(group) for group in groups]
    _arm_release(
        name = name,
        crds = [label.same_package_label("crds") for label in labels],
        image = image,
        kinds = kinds,
        manifests = manifests,
        name_prefix = name_prefix,
        namespace = namespace,
        operator_image = operator_image,
        samples = [label.same_package_label("sample") for label in labels],
        serve = serve,
        tags = tags,
        visibility = visibility,
    )
