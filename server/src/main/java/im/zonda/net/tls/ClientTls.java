package im.zonda.net.tls;

import im.zonda.stream.PeerCertificates;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/// TLS of a blocking socket whose client side is this process.
///
/// @param peer what the server has presented; null if it has presented nothing
public record ClientTls(SSLSocket socket, @Nullable PeerCertificates peer) {}
