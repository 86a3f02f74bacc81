package im.zonda.net;

import im.zonda.config.limits.Limits;
import im.zonda.net.tls.Certificates;
import im.zonda.net.tls.TlsHandler;
import im.zonda.session.ClientNetwork;
import im.zonda.stream.TlsStart;
import im.zonda.throttle.FairTurns;
import io.netty.channel.Channel;
import io.netty.util.concurrent.EventExecutor;
import java.net.InetAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

/// The event loops, limits and TLS that the connections of a server share. Any thread may call.
final class ConnectionContext {
  private static final long CLOSE_NOTIFY_MILLIS = 1_000;

  private final Limits limits;
  private final Certificates certificates;
  private final Executor blocking;
  private final FairTurns handshakeWork;
  private final Map<EventExecutor, Loop> loops = new ConcurrentHashMap<>();
  private volatile boolean accepting = true;

  /// @param blocking runs what may block
  ConnectionContext(Limits limits, Certificates certificates, Executor blocking) {
    this.limits = limits;
    this.certificates = certificates;
    this.blocking = blocking;
    // Each connection waits for one step at most, and the number of connections is bounded.
    this.handshakeWork =
        new FairTurns(Math.max(2, Runtime.getRuntime().availableProcessors()), Integer.MAX_VALUE);
  }

  Limits limits() {
    return limits;
  }

  /// Whether new connections and WebSockets are accepted.
  boolean isAccepting() {
    return accepting;
  }

  void setAccepting(boolean accepted) {
    accepting = accepted;
  }

  /// Adds a loop, before it has connections.
  void add(EventExecutor executor, Loop loop) {
    loops.put(executor, loop);
  }

  /// The loop of a connection.
  Loop loopOf(Channel channel) {
    Loop loop = loops.get(channel.eventLoop());
    if (loop == null) {
      throw new IllegalStateException("a connection of another event loop");
    }
    return loop;
  }

  /// TLS for a new connection. The expensive steps of the handshake run beside the event loops, a
  /// few at a time, for one address after another.
  TlsHandler newTls(TlsStart start, InetAddress address) {
    ClientNetwork network = ClientNetwork.of(address);
    TlsHandler handler = certificates.newHandler(start, work -> runHandshakeWork(network, work));
    handler.setHandshakeTimeoutMillis(limits.negotiationTime().toMillis());
    handler.setCloseNotifyFlushTimeoutMillis(CLOSE_NOTIFY_MILLIS);
    handler.setCloseNotifyReadTimeoutMillis(0);
    return handler;
  }

  private void runHandshakeWork(ClientNetwork network, Runnable work) {
    blocking.execute(() -> {
      try {
        handshakeWork.acquire(network);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt(); // the server stops
        return;
      }
      try {
        work.run();
      } finally {
        handshakeWork.release();
      }
    });
  }
}
