/// The nodes of accounts (XEP-0163): at the account's home, with notifications to the account's own
/// clients and to contacts by presence.
@NullMarked
package im.zonda.module.pubsub.pep;

import org.jspecify.annotations.NullMarked;
