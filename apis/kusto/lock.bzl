"""Hubs and links of the group. Written by `bazel run //apis/kusto:lock.update`; do not edit."""

LOCK = {}
