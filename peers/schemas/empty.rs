//! Empty: see `check.py`.
