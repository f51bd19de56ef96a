//! From a circuit to its [`Assignment`](crate::Assignment), for each ecosystem.

#[cfg(any(feature = "bellpepper", feature = "bellman"))]
mod core;
#[cfg(any(feature = "bellpepper", feature = "bellman"))]
pub(crate) use core::Synthesis;

#[cfg(feature = "bellman")]
pub mod bellman;
#[cfg(feature = "bellpepper")]
pub mod bellpepper;

#[cfg(all(test, feature = "bellpepper", feature = "bellman"))]
mod tests;
