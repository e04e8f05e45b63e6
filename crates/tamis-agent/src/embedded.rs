//! The agent as bytes, for the program that unpacks it.

/// The library that a JVM loads with `-agentpath`.
pub static AGENT: &[u8] = include_bytes!(env!("TAMIS_AGENT_EMBED"));
