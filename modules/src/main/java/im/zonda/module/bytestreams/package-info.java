/// SOCKS5 bytestreams: the XMPP side of the proxy (XEP-0065).
///
/// In a cluster each node has a proxy of its own. The address is that of the node that is the home
/// of the requester's account, where the activation is handled too; both parties use the address
/// that the requester got, so both connect to the same node. If the account's home moves in
/// between, the activation is answered `item-not-found`, and clients start again.
@NullMarked
package im.zonda.module.bytestreams;

import org.jspecify.annotations.NullMarked;
