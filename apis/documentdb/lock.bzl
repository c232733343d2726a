"""Hubs and links of the group. Written by `bazel run //apis/documentdb:lock.update`; do not edit."""

LOCK = {}
