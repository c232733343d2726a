"""The module extensions of Armature. It only re-exports."""

load("//rules/private:licences_repository.bzl", _licences = "licences")
load("//rules/private:specs_repository.bzl", _specs = "specs")

licences = _licences
"""The licences of Go modules, which images of programs must have: those of a go.mod, by the go command.

A repository whose programs have modules that Armature's go.mod does not have names its own, and passes
`licences = "@<module>_licences//:licences.json"` to arm_image.
"""

specs = _specs
