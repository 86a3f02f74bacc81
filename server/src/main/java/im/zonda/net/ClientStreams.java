package im.zonda.net;

import im.zonda.config.limits.Limits;
import im.zonda.runtime.ServerRuntime;
import im.zonda.stream.StreamProfile;
import im.zonda.stream.client.StreamContext;
import im.zonda.throttle.LoginThrottle;

/// The settings and limits of client streams, for the network that carries them.
///
/// @param limits limits of connections and streams
/// @param profile what streams of clients have in common
/// @param throttle the addresses from which logins have failed
/// @param runtime its ids are secrets
public record ClientStreams(
    Limits limits, StreamProfile profile, LoginThrottle throttle, ServerRuntime runtime) {
  /// The streams of a server that has the accounts.
  public static ClientStreams of(StreamContext context) {
    return new ClientStreams(
        context.limits(), context.profile(), context.sasl().throttle(), context.sasl().runtime());
  }
}
