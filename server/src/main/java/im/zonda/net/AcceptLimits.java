package im.zonda.net;

import im.zonda.config.limits.ConnectionLimits;

/// Limits for the connections that listeners with the same [im.zonda.stream.StreamProfile] accept.
///
/// @param connectionsPerAddress how many one address may have; 0 is no limit
/// @param connections how fast they may come, and how many may be unauthenticated
public record AcceptLimits(int connectionsPerAddress, ConnectionLimits connections) {}
