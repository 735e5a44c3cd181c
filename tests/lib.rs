//! Tests that span the crates: see `tests/tests/`.
