"""Hubs and links of the group. Written by `bazel run //apis/authorization:lock.update`; do not edit."""

LOCK = {}
