package im.zonda.plugins.webhooks;

import im.zonda.jid.Jid;
import im.zonda.operation.Secret;
import java.net.URI;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/// A target: an HTTP service that gets events, as its file describes it.
///
/// @param name the name of the file without `.toml`
/// @param url where batches are posted
/// @param secret the key of the signatures
/// @param authorities the certificates of authorities that are trusted; without any, those of Java
/// @param filter which events it gets
/// @param pace how batches are made and sent
/// @param queueBytes the most bytes of the queue
/// @param rejectedBytes the most bytes of rejected events
record Target(
    String name,
    URI url,
    Secret secret,
    List<X509Certificate> authorities,
    Filter filter,
    Pace pace,
    long queueBytes,
    long rejectedBytes) {

  /// Copies the list.
  Target {
    authorities = List.copyOf(authorities);
  }

  /// Which events a target gets.
  ///
  /// @param hosts the domains of hosts; empty for all
  /// @param rooms the bare addresses of rooms, by which events of rooms are limited; empty for all
  /// @param withoutBody whether messages without body and subject are among them
  /// @param contents how much of messages and presence it asks for
  record Filter(
      Set<EventKind> kinds,
      Set<String> hosts,
      Set<Jid> rooms,
      boolean withoutBody,
      Contents contents) {
    /// Copies the sets.
    Filter {
      kinds = Set.copyOf(kinds);
      hosts = Set.copyOf(hosts);
      rooms = Set.copyOf(rooms);
    }

    /// Whether it gets events of a host.
    boolean takes(String host) {
      return hosts.isEmpty() || hosts.contains(host);
    }

    boolean takes(EventJson event) {
      return kinds.contains(event.kind())
          && takes(event.event().host())
          && (event.isText() || withoutBody)
          && (rooms.isEmpty() || event.room() == null || rooms.contains(event.room()));
    }
  }

  /// How batches are made and sent.
  ///
  /// @param events the most events of a batch
  /// @param gather how long the first event of a batch waits for others
  /// @param limit the most time for one request
  /// @param firstDelay the delay after the first failure
  /// @param mostDelay the most delay
  record Pace(
      int events, Duration gather, Duration limit, Duration firstDelay, Duration mostDelay) {}
}
