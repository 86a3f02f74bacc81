package im.zonda.stream;

import im.zonda.module.IdSource;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Executor;

/// The common properties of all streams of one kind: client streams, streams of other servers,
/// components. Immutable and shared by its streams.
///
/// @param headers the form of the stream headers
/// @param limits how much a peer may send before it has authenticated
/// @param times how long a peer may take
/// @param ids makes stream identifiers
/// @param workers runs what may block
/// @param directTls how connections begin that speak TLS from the start (XEP-0368)
/// @param roles makes the role of each stream
public record StreamProfile(
    Headers headers,
    InputLimits limits,
    Times times,
    IdSource ids,
    Executor workers,
    TlsStart directTls,
    StreamRole.Factory roles) {
  /// The form of stream headers.
  ///
  /// @param namespace the content namespace
  /// @param initiating whether this server opens the stream (RFC 6120, section 4.3): it sends its
  ///   header first and gets features
  /// @param versioned whether headers must say `version='1.0'`, which those of XEP-0114 do not
  /// @param prefixes more namespaces that this server's header declares, by prefix
  public record Headers(
      String namespace, boolean initiating, boolean versioned, Map<String, String> prefixes) {
    /// Copies the map.
    public Headers {
      prefixes = Map.copyOf(prefixes);
    }
  }

  /// How long a peer may take.
  ///
  /// @param negotiation from the connection until the stream is established
  /// @param idle silence after which the peer is pinged
  /// @param ping until the answer to that
  public record Times(Duration negotiation, Duration idle, Duration ping) {}
}
