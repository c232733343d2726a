"""The group crm as it was released before: one package tree for each release."""

load("//rules:defs.bzl", "arm_service_group")

def crm_release(name, versions, lock):
    """Declares crm as of a release, from the specs of apis/crm.

    There is one version of each older shape. No release has hooks or aliases:
    releases differ in the served versions and the stored one.

    Args:
      name: that of the package.
      versions: the ARM API versions that the release has.
      lock: LOCK of its lock.bzl.
    """
    documents = {v: "specs/%s/person.json" % v for v in versions}
    native.genrule(
        name = name + "_specs",
        srcs = ["//apis/crm:" + d for d in documents.values()],
        outs = documents.values(),
        cmd = "for f in $(SRCS); do d=$(RULEDIR)/specs/$$(basename $$(dirname $$f)); mkdir -p $$d; cp -f $$f $$d/; done",
    )
    arm_service_group(
        name = name,
        config = "group.yaml",
        group = "crm.azure.com",
        lock = lock,
        provider = "Contoso.Crm",
        versions = {v: [d] for v, d in documents.items()},
        visibility = ["//tests:__subpackages__"],
    )
