/// Logins, and what each costs the server.
@NullMarked
package im.zonda.bench.login;

import org.jspecify.annotations.NullMarked;
