"""Hubs and links of the group. Written by `bazel run //apis/dbforpostgresql:lock.update`; do not edit."""

LOCK = {}
