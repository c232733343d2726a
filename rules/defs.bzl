"""The rules of Armature: the one file that BUILD files load. It only re-exports."""

load("//rules/private:go_module.bzl", _arm_go_module = "arm_go_module")
load("//rules/private:group.bzl", _arm_service_group = "arm_service_group")
load("//rules/private:image.bzl", _arm_image = "arm_image")
load("//rules/private:programs.bzl", _arm_cli = "arm_cli", _arm_operator = "arm_operator", _arm_webhook = "arm_webhook")
load(
    "//rules/private:providers.bzl",
    _ArmPlanInfo = "ArmPlanInfo",
    _ArmVersionInfo = "ArmVersionInfo",
)
load("//rules/private:release.bzl", _arm_release = "arm_release")
load("//rules/private:site.bzl", _arm_site = "arm_site")
load("//rules/private:webhook_crds.bzl", _arm_webhook_crds = "arm_webhook_crds")

arm_service_group = _arm_service_group
arm_cli = _arm_cli
arm_go_module = _arm_go_module
arm_image = _arm_image
arm_operator = _arm_operator
arm_release = _arm_release
arm_site = _arm_site
arm_webhook = _arm_webhook
arm_webhook_crds = _arm_webhook_crds
ArmPlanInfo = _ArmPlanInfo
ArmVersionInfo = _ArmVersionInfo
