/// XMPP ping (XEP-0199).
@NullMarked
package im.zonda.module.ping;

import org.jspecify.annotations.NullMarked;
