/// Passwords, the clients that have logged in, and what modules may do with accounts.
@NullMarked
package im.zonda.auth;

import org.jspecify.annotations.NullMarked;
