//! From a circuit to its [`Assignment`](crate::Assignment), for each ecosystem.

#[cfg(any(feature = "bellpepper", feature = "bellman"))]
mod core;

#[cfg(feature = "bellman")]
pub mod bellman;
#[cfg(feature = "bellpepper")]
pub mod bellpepper;
