"""The custom resource definitions of groups, with the webhook that converts their objects."""

load(":action.bzl", "run_verb", "verb")

def _arm_webhook_crds_impl(ctx):
    out = ctx.actions.declare_directory(ctx.label.name)
    inputs = ctx.files.crds
    args = ctx.actions.args()
    args.add_all(ctx.files.crds, format_each = "--crds=%s", expand_directories = False)
    if ctx.attr.url:
        args.add(ctx.attr.url, format = "--url=%s")
    if ctx.attr.namespace:
        args.add(ctx.attr.namespace, format = "--namespace=%s")
    if ctx.attr.service:
        args.add(ctx.attr.service, format = "--service=%s")
    if ctx.file.ca_bundle:
        args.add(ctx.file.ca_bundle, format = "--ca-bundle=%s")
        inputs = inputs + [ctx.file.ca_bundle]
    if ctx.attr.certificate:
        args.add(ctx.attr.certificate, format = "--certificate=%s")
    args.add_all(ctx.attr.storage_writers, format_each = "--storage-writer=%s")
    args.add_all([out], format_each = "--out=%s", expand_directories = False)
    run_verb(ctx, "ArmWebhookCRDs", args, inputs, [out], "the CRDs for a webhook")
    return [DefaultInfo(files = depset([out]))]

_arm_webhook_crds = rule(
    doc = "A folder for kustomize.",
    implementation = _arm_webhook_crds_impl,
    attrs = {
        "ca_bundle": attr.label(
            allow_single_file = True,
            doc = "The certificates that sign the webhook's own, in PEM.",
        ),
        "certificate": attr.string(doc = "The webhook's Certificate of cert-manager."),
        "crds": attr.label_list(mandatory = True, doc = "The targets `crds` of the groups."),
        "namespace": attr.string(doc = "The namespace of the webhook's Service."),
        "service": attr.string(doc = "The webhook's Service."),
        "storage_writers": attr.string_list(doc = "The service accounts that may write at storage versions."),
        "url": attr.string(doc = "Where the webhook is, if it is no Service of the cluster."),
        "_tool": verb("armwebhookcrds"),
    },
)

def arm_webhook_crds(
        name,
        groups,
        service = "",
        namespace = "",
        url = "",
        ca_bundle = None,
        certificate = None,
        storage_writers = [],
        visibility = None):
    """Declares the CRDs of groups, ready for a cluster in which a webhook converts.

    The CRDs of a group's own target `crds` name no webhook, and an API server
    refuses them: without a conversion it would store objects in the wrong shape.

    The folder holds the completed CRDs and the admission policies of the groups,
    with a kustomization of them, and in the folder `conversion` a kustomize
    component, which completes the CRDs of `crds` in a kustomization that includes
    both.

    Args:
      name: of the folder.
      groups: the packages of service groups, such as `//apis/cache`.
      service: the webhook's Service, which answers at port 443 and path
        `/convert`.
      namespace: the Service's namespace.
      url: where the webhook is, such as `https://127.0.0.1:9443/convert`, for an
        API server whose cluster does not run it; instead of `service` and
        `namespace`.
      ca_bundle: the certificates that sign the webhook's own, in PEM.
      certificate: `<namespace>/<name>` of the webhook's Certificate, where
        cert-manager makes it: cert-manager then writes the CA bundle. With
        neither this nor `ca_bundle`, something else has to write it.
      storage_writers: `<namespace>/<name>` of the service accounts that may write
        at storage versions, such as the operator's. Others need the permission
        `write` for `storageversions.armature.dev`.
      visibility: of the folder.
    """
    _arm_webhook_crds(
        name = name,
        ca_bundle = ca_bundle,
        certificate = certificate,
        crds = [native.package_relative_label(group).same_package_label("crds") for group in groups],
        namespace = namespace,
        service = service,
        storage_writers = storage_writers,
        url = url,
        visibility = visibility,
    )
