/// Signing in on pages: sessions, their cookie, tokens of forms, and passwords.
///
/// A session is a row of its account in a key-value store: every node of a cluster finds it, and it
/// is removed with the account. The store has a hash of the cookie, never the cookie itself. A
/// session ends when it is signed out, not used for a while, too old, or when the password was
/// changed or the account disabled.
@NullMarked
package im.zonda.web.login;

import org.jspecify.annotations.NullMarked;
