"""Tests outside of the sandbox."""

load("@rules_go//go:def.bzl", "go_test")

# The caches of bazelw and of the go command, and what they need to fetch Go modules.
_ENV = [
    "GOFLAGS",
    "GOPROXY",
    "GOSUMDB",
    "HOME",
    "PATH",
    "XDG_CACHE_HOME",
]

def _outside_test_impl(ctx):
    executable = ctx.actions.declare_file(ctx.label.name)
    ctx.actions.symlink(output = executable, target_file = ctx.executable.test, is_executable = True)
    return [
        DefaultInfo(executable = executable, runfiles = ctx.attr.test[DefaultInfo].default_runfiles),
        ctx.attr.test[RunEnvironmentInfo],
        testing.ExecutionInfo({"no-remote-exec": "", "no-sandbox": "", "requires-network": ""}),
    ]

_outside_test = rule(
    doc = "Runs a go_test on this machine, outside of the sandbox.",
    implementation = _outside_test_impl,
    attrs = {
        "test": attr.label(mandatory = True, executable = True, cfg = "target", doc = "The go_test."),
    },
    test = True,
)

def outside_test(name, tags = [], **kwargs):
    """Declares a go_test outside of the sandbox: it needs the user's caches, or starts Bazel or the go command.

    Its result is cached, which the tag `local` would prevent. So its data has all that it reads of this repository.

    Args:
      name: of the test.
      tags: of the test.
      **kwargs: of go_test.
    """
    go_test(
        name = name + ".inside",
        env_inherit = _ENV,
        tags = ["manual"],
        **kwargs
    )
    _outside_test(
        name = name,
        tags = tags,
        test = name + ".inside",
    )

def bazel_test(name, data = [], env_inherit = [], tags = [], **kwargs):
    """Declares a go_test that runs Bazel on this repository, outside of the sandbox.

    It builds more than its inputs name, so its result is not cached.

    Args:
      name: of the test.
      data: of the test, beside go.mod.
      env_inherit: of the test, beside what Bazel and the go command need.
      tags: of the test.
      **kwargs: of go_test.
    """
    go_test(
        name = name,
        data = data + ["//:go.mod"],
        env_inherit = _ENV + env_inherit,
        # Bazel waits for what it starts, and for a control plane.
        tags = tags + [
            "external",
            "local",
            "requires-network",
            "resources:cpu:0.5",
        ],
        **kwargs
    )
