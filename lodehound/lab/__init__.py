"""The lab: policies against recorded sites, measured as the papers measure."""
