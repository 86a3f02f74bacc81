/// Second factors of administrators: one-time codes (RFC 6238), recovery codes, and passkeys (Web
/// Authentication Level 3).
///
/// They are kept with the account: every node of a cluster finds them, a backup has them, and they
/// are removed with the account.
@NullMarked
package im.zonda.console.factor;

import org.jspecify.annotations.NullMarked;
