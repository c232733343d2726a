"""Hubs and links of the group. Written by `bazel run //apis/batch:lock.update`; do not edit."""

LOCK = {}
