/// Proxies that stand between clients and this server.
///
/// *PROXY protocol.* A proxy that forwards bytes names its client in a header before them, in
/// version 1 or 2 of HAProxy's PROXY protocol ([im.zonda.net.proxy.ProxyHeader]). A listener either
/// demands that header or does not know it ([im.zonda.net.proxy.ProxyHeaders]): what a client could
/// decide would let it choose its address.
///
/// *Trust.* [im.zonda.net.proxy.AddressRanges] says who is believed, here and for the header fields
/// of HTTP (`im.zonda.net.http.TrustedProxies`).
@NullMarked
package im.zonda.net.proxy;

import org.jspecify.annotations.NullMarked;
