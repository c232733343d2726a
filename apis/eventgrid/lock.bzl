"""Hubs and links of the group. Written by `bazel run //apis/eventgrid:lock.update`; do not edit."""

LOCK = {}
