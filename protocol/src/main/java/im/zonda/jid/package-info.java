/// XMPP addresses (RFC 7622).
@NullMarked
package im.zonda.jid;

import org.jspecify.annotations.NullMarked;
