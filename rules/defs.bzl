"""The rules of Armature: the one file that BUILD files load. It only re-exports."""

load("//rules/private:group.bzl", _arm_service_group = "arm_service_group")
load(
    "//rules/private:providers.bzl",
    _ArmPlanInfo = "ArmPlanInfo",
    _ArmVersionInfo = "ArmVersionInfo",
)
load("//rules/private:webhook.bzl", _arm_webhook = "arm_webhook")

arm_service_group = _arm_service_group
arm_webhook = _arm_webhook
ArmPlanInfo = _ArmPlanInfo
ArmVersionInfo = _ArmVersionInfo
