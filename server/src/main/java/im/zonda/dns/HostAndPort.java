package im.zonda.dns;

/// A host and a port, as the configuration has them.
///
/// @param host a name or an address, without brackets
record HostAndPort(String host, int port) {
  /// Reads `host:port`, with an IPv6 address in brackets. The configuration has been checked.
  static HostAndPort parse(String text) {
    int colon = text.lastIndexOf(':');
    String host = text.substring(0, colon);
    return new HostAndPort(
        host.startsWith("[") ? host.substring(1, host.length() - 1) : host,
        Integer.parseInt(text.substring(colon + 1)));
  }
}
