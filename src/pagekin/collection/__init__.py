"""A collection at rest: immutable parts under one manifest, merged by rules that no order of adding can change."""
