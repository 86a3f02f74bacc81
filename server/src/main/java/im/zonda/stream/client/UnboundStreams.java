package im.zonda.stream.client;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The client streams to one virtual host that have not bound a resource. Any thread may call.
final class UnboundStreams {
  private final Set<ClientStream> streams = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /// Adds a stream; false if the host has been removed.
  boolean add(ClientStream stream) {
    streams.add(stream);
    if (closed) {
      streams.remove(stream);
      return false;
    }
    return true;
  }

  void remove(ClientStream stream) {
    streams.remove(stream);
  }

  /// The host is removed: ends the streams, and those that are added later.
  void close() {
    closed = true;
    for (ClientStream stream : streams) {
      stream.transport().execute(stream::hostGone);
    }
  }
}
