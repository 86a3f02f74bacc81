/// Limits on what one address may do before anybody has authenticated: connections, failed logins,
/// password checks, and the log lines about them. All in bounded memory.
@NullMarked
package im.zonda.throttle;

import org.jspecify.annotations.NullMarked;
