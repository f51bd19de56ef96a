//! The integration tests, in one binary.

mod bad_input;
mod equality;
mod parameter_file;
mod real_parameters;
mod threads;
