"""Hubs and links of the group. Written by `bazel run //apis/dataprotection:lock.update`; do not edit."""

LOCK = {}
