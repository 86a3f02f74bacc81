package im.zonda.app.load.options;

import java.net.InetSocketAddress;

/// An external component that a load connects.
///
/// @param address where the server listens for components
/// @param domain the component's domain
/// @param secret the secret of the domain
public record ComponentOptions(InetSocketAddress address, String domain, String secret) {}
