/// Homes, mailboxes and the one decision where a stanza goes (RFC 6121, section 8).
@NullMarked
package im.zonda.router;

import org.jspecify.annotations.NullMarked;
