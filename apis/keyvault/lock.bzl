"""Hubs and links of the group. Written by `bazel run //apis/keyvault:lock.update`; do not edit."""

LOCK = {}
