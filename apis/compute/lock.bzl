"""Hubs and links of the group. Written by `bazel run //apis/compute:lock.update`; do not edit."""

LOCK = {}
