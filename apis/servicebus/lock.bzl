"""Hubs and links of the group. Written by `bazel run //apis/servicebus:lock.update`; do not edit."""

LOCK = {}
