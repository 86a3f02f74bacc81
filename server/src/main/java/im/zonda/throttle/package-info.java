/// Limits on what one address (IPv6: one /64) may do before authentication: connections, failed
/// logins, password checks, and the log lines about them. All in tables of fixed size.
///
/// Failed logins delay later answers, over all connections, and never lock an account. Connections
/// have a rate; those that have not authenticated have a bound, charged to the address with the
/// most of them. Password checks and TLS handshakes are done for one address after another. Servers
/// that have proved no domain make this server connect to others only so often.
@NullMarked
package im.zonda.throttle;

import org.jspecify.annotations.NullMarked;
