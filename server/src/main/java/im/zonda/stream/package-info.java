/// XML streams (RFC 6120, section 4) of any kind of peer, over any transport. No sockets here.
///
/// ```
/// bytes ──▶ ByteStream ──▶ Stream ──▶ StreamRole
///           (TCP, TLS)     header     client, and later server, component
///                          frames
///                          close
/// documents ─────────────▶
///           (WebSocket, BOSH)
/// ```
///
/// - [im.zonda.stream.Stream] is the core: headers, negotiation timeouts, errors, pauses, the end.
/// - [im.zonda.stream.StreamRole] is what differs by peer: content namespace, header rules,
///   features, authentication, what happens with a first-level element, which side speaks first. A
///   new kind of peer is a new role and a [im.zonda.stream.StreamProfile]; the core stays as it is.
/// - [im.zonda.stream.StreamTransport] is the connection. It gives the stream headers, frames and
///   the end, and writes the same. Those of bytes use a [im.zonda.stream.ByteStream].
///
/// *Threads.* A stream and its transport share one thread, the stream's thread. Work that may block
/// runs by [im.zonda.stream.Stream#runBlocking]; input is suspended meanwhile, so that steps of a
/// negotiation never overlap. Bytes that come while input is suspended are kept, within the limits.
///
/// *Time.* Timeouts run on the peer's time, which stands still while the server does not read, so
/// that a pause of the server is never the peer's silence.
///
/// *TLS.* A role says which side of the handshake it takes, which ALPN names it accepts or offers,
/// and as which domain it connects ([im.zonda.stream.TlsStart]). The handshake trusts any peer; the
/// role gets the chain and the platform's verdict ([im.zonda.stream.PeerCertificates]) and decides.
/// White space is the only thing that may follow the last element in the clear.
@NullMarked
package im.zonda.stream;

import org.jspecify.annotations.NullMarked;
