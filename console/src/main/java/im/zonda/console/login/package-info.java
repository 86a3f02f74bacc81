/// Signing in to the console: one-time links, sessions of administrators, and checks of requests.
@NullMarked
package im.zonda.console.login;

import org.jspecify.annotations.NullMarked;
