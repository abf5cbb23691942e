"""Policies that look ahead. Each is compiled by itself when it is first played (units.py), not with the core."""
