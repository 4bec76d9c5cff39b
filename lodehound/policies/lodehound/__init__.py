"""The policy lodehound (docs/lodehound-policy.md)."""

from lodehound.policies.lodehound.lodehound_policy import LodehoundPolicy

__all__ = ["LodehoundPolicy"]
