"""The policy lodehound (docs/lodehound-policy.md)."""

from lodehound.policies.lodehound.policy import LodehoundPolicy

__all__ = ["LodehoundPolicy"]
