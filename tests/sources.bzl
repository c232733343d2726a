"""The Go files of this repository that packages are made of."""

load("@rules_go//go:def.bzl", "GoArchive")

def _go_sources_impl(ctx):
    archives = depset(transitive = [dep[GoArchive].transitive for dep in ctx.attr.deps])
    return [DefaultInfo(files = depset([
        file
        for archive in archives.to_list()
        for file in archive.srcs
        if file.is_source and not archive.label.workspace_name
    ]))]

go_sources = rule(
    doc = "The files of some packages and of all that they import, without generated ones and other modules.",
    implementation = _go_sources_impl,
    attrs = {
        "deps": attr.label_list(mandatory = True, providers = [GoArchive], doc = "The packages."),
    },
)
