//! Files in, records out.
