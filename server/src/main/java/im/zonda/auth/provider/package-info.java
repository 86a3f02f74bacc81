/// Logins to accounts that others keep: whom a host asks, how long, and what follows.
@NullMarked
package im.zonda.auth.provider;

import org.jspecify.annotations.NullMarked;
