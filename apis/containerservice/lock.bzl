"""Hubs and links of the group. Written by `bazel run //apis/containerservice:lock.update`; do not edit."""

LOCK = {}
