//! Seeded bodies and motions as plain arrays.
