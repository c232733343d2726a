"""Hubs and links of the group. Written by `bazel run //apis/storage:lock.update`; do not edit."""

LOCK = {}
