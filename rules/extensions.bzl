"""The module extension of Armature. It only re-exports."""

load("//rules/private:specs_repository.bzl", _specs = "specs")

specs = _specs
