package im.zonda.home.remote;

import im.zonda.link.DomainPair;

/// Opens streams to other servers.
@FunctionalInterface
public interface Connector {
  /// Opens a stream that carries stanzas of the pair to the other server, or has the pair accepted
  /// on an open stream, or resumes an interrupted one (XEP-0198). Returns at once. The outcome is a
  /// call of [im.zonda.link.ServerStreamGate]: `ready`, `resumed` or `failed`.
  void connect(DomainPair pair);
}
