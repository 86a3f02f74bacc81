package im.zonda.net.socks;

import im.zonda.bytestream.BytestreamProxy;
import im.zonda.bytestream.Bytestreams.Activation;
import im.zonda.config.Proxy;
import im.zonda.config.limits.Limits.ProxyLimits;
import im.zonda.jid.Jid;
import im.zonda.module.Scheduler;
import im.zonda.net.Listener;
import im.zonda.runtime.FailureText;
import im.zonda.runtime.ServerRuntime;
import im.zonda.timer.PeriodicTask;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The SOCKS5 bytestreams proxy of this process (XEP-0065). Connections wait until the requester
/// activates the address that two of them have asked for; then bytes are forwarded between them.
public final class SocksProxy implements BytestreamProxy, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SocksProxy.class);
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final int BACKLOG = 128;

  private final ProxyLimits limits;
  private final Environment environment;
  private final Halves halves;
  private final Bandwidth all;

  // Guarded by this object's monitor.
  private final Map<String, ServerSocket> sockets = new LinkedHashMap<>();
  private final Map<String, Relay> relays = new HashMap<>();
  private Scheduler.@Nullable Cancellable sweeping;
  private boolean closed;

  /// What it runs on.
  ///
  /// @param nanos nanoseconds from any origin, never going back
  /// @param pause blocks the calling thread for some time
  public record Environment(ServerRuntime runtime, LongSupplier nanos, Pause pause) {
    /// An environment in which threads sleep.
    public Environment(ServerRuntime runtime) {
      this(runtime, System::nanoTime, TimeUnit.NANOSECONDS::sleep);
    }
  }

  /// Blocks a thread.
  @FunctionalInterface
  public interface Pause {
    /// Blocks the calling thread for that many nanoseconds.
    void nanos(long time) throws InterruptedException;
  }

  private SocksProxy(ProxyLimits limits, Environment environment) {
    this.limits = limits;
    this.environment = environment;
    this.halves = new Halves(limits);
    this.all = new Bandwidth(limits.rate());
  }

  /// Starts to listen.
  ///
  /// @throws IOException with a sentence for the administrator if an address cannot be had
  public static SocksProxy start(Proxy settings, ProxyLimits limits, Environment environment)
      throws IOException {
    SocksProxy proxy = new SocksProxy(limits, environment);
    try {
      proxy.prepare(settings).use();
    } catch (IOException | RuntimeException e) {
      proxy.close();
      throw e;
    }
    synchronized (proxy) {
      proxy.sweeping = PeriodicTask.start(environment.runtime().scheduler(), SECOND, proxy::sweep);
    }
    return proxy;
  }

  /// Addresses that are bound and not used yet.
  public interface Prepared {
    /// Accepts connections at these addresses only. Present connections stay.
    void use();

    /// Gives the addresses back.
    void discard();
  }

  /// Binds the addresses that settings name and that are not in use here. To be used or discarded.
  ///
  /// @throws IOException with a sentence for the administrator if an address cannot be had; nothing
  ///   has changed
  public synchronized Prepared prepare(Proxy settings) throws IOException {
    Map<String, ServerSocket> wanted = new LinkedHashMap<>();
    List<ServerSocket> added = new ArrayList<>();
    try {
      for (String each : settings.listen()) {
        ServerSocket known = sockets.get(each);
        ServerSocket socket = known == null ? new ServerSocket() : known;
        if (known == null) {
          added.add(socket);
          bind(socket, Listener.parse(Listener.Kind.STARTTLS, each).address());
        }
        wanted.put(each, socket);
      }
    } catch (IOException | RuntimeException e) {
      added.forEach(SocksProxy::close);
      throw e;
    }
    return new Prepared() {
      @Override
      public void use() {
        replace(wanted, added);
      }

      @Override
      public void discard() {
        added.forEach(SocksProxy::close);
      }
    };
  }

  private static void bind(ServerSocket socket, InetSocketAddress address) throws IOException {
    try {
      socket.setReuseAddress(true);
      socket.bind(address, BACKLOG);
    } catch (IOException e) {
      throw new IOException(
          "cannot listen on " + address + " (proxy.listen): " + FailureText.ofBind(e), e);
    }
  }

  private synchronized void replace(Map<String, ServerSocket> wanted, List<ServerSocket> added) {
    if (closed) {
      added.forEach(SocksProxy::close);
      return;
    }
    sockets.forEach((address, socket) -> {
      if (!wanted.containsKey(address)) {
        close(socket);
      }
    });
    sockets.clear();
    sockets.putAll(wanted);
    added.forEach(socket -> environment.runtime().workers().execute(() -> accept(socket)));
  }

  private static void close(ServerSocket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      LOG.atDebug().setCause(e).log("bytestream_listener_not_closed");
    }
  }

  /// A machine without file descriptors gets a pause instead of an endless loop.
  private void accept(ServerSocket socket) {
    while (!socket.isClosed()) {
      try {
        admit(socket.accept());
      } catch (IOException e) {
        if (!socket.isClosed()) {
          LOG.atWarn().setCause(e).log("bytestream_not_accepted");
          pause(SECOND.toNanos());
        }
      }
    }
  }

  private void pause(long nanos) {
    try {
      environment.pause().nanos(nanos);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void admit(Socket socket) {
    Half half =
        new Half(socket, environment.runtime().clock().instant().plus(limits.waitingTime()));
    if (halves.add(half)) {
      environment.runtime().workers().execute(() -> greet(half));
    } else {
      half.close();
    }
  }

  /// Reads the request. The connection then waits without a thread.
  private void greet(Half half) {
    boolean waits = false;
    try {
      half.socket.setTcpNoDelay(true);
      SocksHandshake handshake =
          new SocksHandshake(half.socket.getInputStream(), half.socket.getOutputStream());
      String address = handshake.read();
      if (address != null) {
        waits = halves.request(half, address);
        handshake.answer(waits ? SocksHandshake.SUCCEEDED : SocksHandshake.NOT_ALLOWED);
      }
    } catch (IOException e) {
      waits = false;
      LOG.atDebug().setCause(e).log("bytestream_handshake_failed");
    } finally {
      if (!waits) {
        halves.remove(half);
        half.close();
      }
    }
  }

  @Override
  public Activation activate(String address, Jid requester) {
    Relay relay;
    synchronized (this) {
      if (relays.containsKey(address)) {
        return Activation.ACTIVE;
      }
      int waiting = halves.count(address);
      if (waiting < 2) {
        return waiting == 0 ? Activation.NOT_CONNECTED : Activation.ONE_PARTY;
      }
      long own = relays.values().stream().filter(each -> each.requester.equals(requester)).count();
      if (own >= limits.streamsPerAccount()) {
        return Activation.TOO_MANY;
      }
      Halves.Pair pair = closed ? null : halves.take(address);
      if (pair == null) {
        return Activation.NOT_CONNECTED;
      }
      relay = new Relay(requester, pair, meter(), () -> ended(address));
      relays.put(address, relay);
    }
    relay.directions().forEach(environment.runtime().workers()::execute);
    return Activation.ACTIVE;
  }

  private synchronized void ended(String address) {
    relays.remove(address);
    halves.ended();
  }

  private Relay.Meter meter() {
    Bandwidth own = new Bandwidth(limits.streamRate());
    return new Relay.Meter() {
      @Override
      public Instant now() {
        return environment.runtime().clock().instant();
      }

      @Override
      public void await(int bytes) throws InterruptedException {
        long wait = own.take(bytes, environment.nanos().getAsLong());
        if (wait > 0) {
          environment.pause().nanos(wait);
        }
        wait = all.take(bytes, environment.nanos().getAsLong());
        if (wait > 0) {
          environment.pause().nanos(wait);
        }
      }
    };
  }

  private void sweep() {
    Instant now = environment.runtime().clock().instant();
    halves.expire(now);
    for (Relay relay : active()) {
      if (!relay.lastByte().plus(limits.idleTime()).isAfter(now)) {
        relay.close();
      }
    }
  }

  private synchronized List<Relay> active() {
    return List.copyOf(relays.values());
  }

  @Override
  public synchronized int port() {
    return sockets.values().stream().mapToInt(ServerSocket::getLocalPort).findFirst().orElse(0);
  }

  /// Stops to listen and closes all connections.
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      if (sweeping != null) {
        sweeping.cancel();
      }
      sockets.values().forEach(SocksProxy::close);
    }
    halves
        .all()
        .forEach(half -> {
          halves.remove(half);
          half.close();
        });
    active().forEach(Relay::close);
  }
}
