/// Logins in one round trip, by whole servers.
@NullMarked
package im.zonda.app.login;

import org.jspecify.annotations.NullMarked;
