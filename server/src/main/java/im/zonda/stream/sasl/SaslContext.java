package im.zonda.stream.sasl;

import im.zonda.runtime.ServerRuntime;
import im.zonda.throttle.FailedLogins;
import im.zonda.throttle.LoginThrottle;

/// The context that all authentications of a server share.
///
/// @param authenticator looks up accounts and checks passwords
/// @param tokens remembers clients and lets them log in with tokens
/// @param throttle counts failed logins and delays answers
/// @param failedLogins knows from where logins have failed, and decides which are logged
/// @param maxFailures failed attempts after which a stream is closed
/// @param runtime its ids are nonces
/// @param meters counts logins
public record SaslContext(
    Authenticator authenticator,
    ClientTokens tokens,
    LoginThrottle throttle,
    FailedLogins failedLogins,
    int maxFailures,
    ServerRuntime runtime,
    LoginMeters meters) {
  /// A context that has counted nothing.
  public SaslContext(
      Authenticator authenticator,
      ClientTokens tokens,
      LoginThrottle throttle,
      FailedLogins failedLogins,
      int maxFailures,
      ServerRuntime runtime) {
    this(authenticator, tokens, throttle, failedLogins, maxFailures, runtime, new LoginMeters());
  }
}
