package im.zonda.stream.sasl;

import im.zonda.runtime.ServerRuntime;
import im.zonda.throttle.AddressLog;
import im.zonda.throttle.LoginThrottle;

/// The context that all authentications of a server share.
///
/// @param authenticator looks up accounts and checks passwords
/// @param tokens remembers clients and lets them log in with tokens
/// @param throttle counts failed logins and delays answers
/// @param failedLogins decides which failed logins are logged
/// @param maxFailures failed attempts after which a stream is closed
/// @param runtime its ids are nonces
public record SaslContext(
    Authenticator authenticator,
    ClientTokens tokens,
    LoginThrottle throttle,
    AddressLog failedLogins,
    int maxFailures,
    ServerRuntime runtime) {}
