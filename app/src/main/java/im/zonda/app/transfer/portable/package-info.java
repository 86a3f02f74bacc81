/// Accounts from the portable format of XMPP servers (XEP-0227).
@NullMarked
package im.zonda.app.transfer.portable;

import org.jspecify.annotations.NullMarked;
