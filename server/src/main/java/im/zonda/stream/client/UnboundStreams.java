package im.zonda.stream.client;

import im.zonda.stream.StreamTransport;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The client streams to one virtual host that have not bound a resource. Any thread may call.
final class UnboundStreams {
  /// A stream that has not bound a resource.
  interface Member {
    /// What carries it.
    StreamTransport transport();

    /// Ends it because the host has been removed, unless it has bound a resource meanwhile. On the
    /// stream's thread.
    void hostGone();
  }

  private final Set<Member> streams = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /// Adds a stream; false if the host has been removed.
  boolean add(Member stream) {
    streams.add(stream);
    if (closed) {
      streams.remove(stream);
      return false;
    }
    return true;
  }

  void remove(Member stream) {
    streams.remove(stream);
  }

  /// The host is removed: ends the streams, and those that are added later.
  void close() {
    closed = true;
    for (Member stream : streams) {
      stream.transport().execute(stream::hostGone);
    }
  }
}
