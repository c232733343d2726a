"""Groups as they were released before: one package tree for each release."""

load("//apis:domain.bzl", "DOMAIN")
load("//rules:defs.bzl", "arm_service_group")

def group_release(name, group, provider, document, versions, lock):
    """Declares a group as of a release, from the specs of apis/<group>.

    No release has hooks or aliases: releases differ in the served versions and the stored one.

    Args:
      name: that of the package.
      group: the folder below apis.
      provider: the namespace of its types in ARM.
      document: the name of the spec of each version.
      versions: the ARM API versions that the release has.
      lock: LOCK of its lock.bzl.
    """
    documents = {v: "specs/%s/%s" % (v, document) for v in versions}
    native.genrule(
        name = name + "_specs",
        srcs = ["//apis/%s:%s" % (group, d) for d in documents.values()],
        outs = documents.values(),
        cmd = "for f in $(SRCS); do d=$(RULEDIR)/specs/$$(basename $$(dirname $$f)); mkdir -p $$d; cp -f $$f $$d/; done",
    )
    arm_service_group(
        name = name,
        config = "group.yaml",
        group = group + "." + DOMAIN,
        importpath = "github.com/armature-dev/armature/" + native.package_name(),
        lock = lock,
        provider = provider,
        versions = {v: [d] for v, d in documents.items()},
        visibility = ["//tests:__subpackages__"],
    )
