/// TLS of connections: certificates and which of them is presented, the self-signed one, what a
/// peer presents, channel binding data.
///
/// TLS 1.2 and 1.3 with authenticated encryption and forward secrecy only. The server side presents
/// the certificate that names the domain of the SNI, or the host that the domain is a service of;
/// otherwise the first one. Files are looked at every minute and replaced without ending
/// connections.
@NullMarked
package im.zonda.net.tls;

import org.jspecify.annotations.NullMarked;
