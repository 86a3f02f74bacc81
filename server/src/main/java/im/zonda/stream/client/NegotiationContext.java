package im.zonda.stream.client;

import im.zonda.config.limits.Limits;
import im.zonda.module.IdSource;
import im.zonda.stream.InputLimits;
import im.zonda.stream.sasl.Authenticator;
import im.zonda.stream.sasl.ClientTokens;
import im.zonda.stream.sasl.SaslContext;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The settings that the negotiations of all client streams share. Any thread may call.
///
/// @param hosts the virtual host of a prepared domain, or null
/// @param limits the limits of the server
/// @param plaintextOnLoopback whether clients on this machine may authenticate without TLS
/// @param sasl what authentication needs
/// @param authenticated how much a client may send once it has authenticated
record NegotiationContext(
    Function<String, @Nullable StreamHost> hosts,
    Limits limits,
    boolean plaintextOnLoopback,
    SaslContext sasl,
    InputLimits authenticated) {
  /// The virtual host of a prepared domain, or null.
  @Nullable StreamHost findHost(String domain) {
    return hosts.apply(domain);
  }

  IdSource ids() {
    return sasl.runtime().ids();
  }

  Authenticator authenticator() {
    return sasl.authenticator();
  }

  ClientTokens tokens() {
    return sasl.tokens();
  }
}
