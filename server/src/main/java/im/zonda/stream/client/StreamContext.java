package im.zonda.stream.client;

import im.zonda.config.Limits;
import im.zonda.module.IdSource;
import im.zonda.module.Scheduler;
import im.zonda.stream.sasl.Authenticator;
import im.zonda.stream.sasl.ClientTokens;
import im.zonda.throttle.AddressLog;
import im.zonda.throttle.LoginThrottle;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// What all streams of a server share.
///
/// @param hosts the virtual host of a prepared domain, or null
/// @param limits the bounds
/// @param plaintextOnLoopback whether clients on this machine may authenticate without TLS
/// @param ids makes stream identifiers and nonces
/// @param authenticator looks up accounts and checks passwords
/// @param tokens remembers clients and lets them log in by tokens
/// @param throttle counts failed logins
/// @param failedLogins what is logged about them
/// @param scheduler timers
public record StreamContext(
    Function<String, @Nullable StreamHost> hosts,
    Limits limits,
    boolean plaintextOnLoopback,
    IdSource ids,
    Authenticator authenticator,
    ClientTokens tokens,
    LoginThrottle throttle,
    AddressLog failedLogins,
    Scheduler scheduler) {}
