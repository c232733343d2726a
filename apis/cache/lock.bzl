"""Hubs and links of the group. Written by `bazel run //apis/cache:lock.update`; do not edit."""

LOCK = {}
