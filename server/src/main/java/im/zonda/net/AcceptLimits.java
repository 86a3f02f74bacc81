package im.zonda.net;

import im.zonda.config.limits.ConnectionLimits;
import im.zonda.net.proxy.AddressRanges;

/// Limits for the connections that listeners with the same [im.zonda.stream.StreamProfile] accept.
///
/// @param connectionsPerAddress how many one address may have; 0 is no limit
/// @param connections how fast they may come, and how many may be unauthenticated
/// @param shared addresses that stand for many clients, which have no limits of their own
public record AcceptLimits(
    int connectionsPerAddress, ConnectionLimits connections, AddressRanges shared) {
  /// Limits for all addresses.
  public AcceptLimits(int connectionsPerAddress, ConnectionLimits connections) {
    this(connectionsPerAddress, connections, AddressRanges.NONE);
  }
}
