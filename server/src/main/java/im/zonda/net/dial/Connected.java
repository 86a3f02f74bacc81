package im.zonda.net.dial;

import im.zonda.dns.Target;
import java.net.InetSocketAddress;

/// A server that has accepted a connection.
///
/// @param target the server
/// @param address the address of it that was first to answer
public record Connected(Target target, InetSocketAddress address) {}
