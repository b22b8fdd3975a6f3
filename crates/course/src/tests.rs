//! Rows for exhibits: what is read, what is refused, and what the linter finds.
