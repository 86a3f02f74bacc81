package im.zonda.testkit.noloss;

import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ManagedClient;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.client.SocketWire;
import im.zonda.testkit.client.Wire;
import im.zonda.testkit.relay.RelayedConnection;
import im.zonda.testkit.relay.TcpRelay;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Connects one client to the server, repeatedly.
final class Reconnector implements AutoCloseable {
  private static final long GIVE_UP_NANOS = TimeUnit.SECONDS.toNanos(40);
  private static final int SMALL_BUFFER = 16 * 1024;

  /// Connections that stay open at both ends after their cable was pulled. Others before them are
  /// closed: a long run has as many as a process may have files.
  private static final int MOST_PULLED = 4;

  /// A connection whose cable was pulled.
  private record Pulled(RelayedConnection cable, @Nullable ScriptedClient end) {
    void close() {
      cable.cut();
      if (end != null) {
        ManagedClient.drop(end);
      }
    }
  }

  private final RunState state;
  private final ServerLives lives;
  private final Login login;
  private final ManagedClient client;
  private final @Nullable TcpRelay relay;
  private final boolean small;
  private final Deque<Pulled> pulled = new ArrayDeque<>();
  private @Nullable RelayedConnection connection;
  private int countedKills;
  private volatile int killsBefore;

  /// Creates the connector of a client.
  ///
  /// @param relay the relay to connect through; null for a direct connection
  /// @param small whether the client's receive buffer is small, so that the server soon notices a
  ///   slow reader
  Reconnector(
      RunState state, Login login, ManagedClient client, @Nullable TcpRelay relay, boolean small) {
    this.state = state;
    this.lives = state.lives(login.domain());
    this.login = login;
    this.client = client;
    this.relay = relay;
    this.small = small;
  }

  /// Connects; waits until the server is available.
  ///
  /// @param mayFail whether the server may have ended the former session although it was not
  ///   restarted
  /// @return false if the run is over
  boolean connect(boolean mayFail) throws InterruptedException {
    long since = System.nanoTime();
    InetSocketAddress before = null;
    while (!state.isOver()) {
      InetSocketAddress address = lives.await();
      int kills = lives.kills();
      if (!lives.isReady(address)) {
        continue; // killed between the two calls
      }
      killsBefore = kills;
      // Each run of the server has its own port and its own deadline for logins.
      since = address.equals(before) ? since : System.nanoTime();
      before = address;
      try {
        ManagedClient.Start start = client.connect(wire(address));
        count(start, mayFail, kills);
        countedKills = kills;
        return true;
      } catch (IOException e) {
        // The server has just stopped or rejects the login; retry.
        if (System.nanoTime() - since > GIVE_UP_NANOS) {
          state.ledger().violated(login.jid() + " is not let in: " + e.getMessage());
          since = System.nanoTime();
        }
        state.rest(20);
      }
    }
    return false;
  }

  /// How often the server had been killed before the newest connection.
  int killsBefore() {
    return killsBefore;
  }

  private void count(ManagedClient.Start start, boolean mayFail, int kills) {
    switch (start) {
      case RESUMED -> state.resumed().increment();
      case BOUND -> state.bound().increment();
      case BOUND_ANEW -> {
        state.boundAnew().increment();
        boolean killed = kills != countedKills || kills != lives.kills();
        if (!mayFail && !killed && !lives.mayLoseNewSessions()) {
          state.ledger().violated(login.jid() + " is not resumed although nothing was killed");
        }
      }
    }
  }

  private Wire wire(InetSocketAddress address) throws IOException, InterruptedException {
    SocketWire wire = SocketWire.connect(relay == null ? address : relay.address());
    if (small) {
      wire.socket().setReceiveBufferSize(SMALL_BUFFER);
    }
    if (relay != null) {
      connection = relay.next();
    }
    return wire;
  }

  /// Simulates a broken network: the connection stays open at both ends, and the client abandons
  /// it.
  void pull() {
    RelayedConnection cable =
        Objects.requireNonNull(connection, "only a relayed connection has a cable");
    cable.freeze();
    pulled.add(new Pulled(cable, client.abandon()));
    if (pulled.size() > MOST_PULLED) {
      pulled.remove().close();
    }
  }

  @Override
  public void close() {
    client.cut();
    pulled.forEach(Pulled::close);
    if (relay != null) {
      try {
        relay.close();
      } catch (IOException e) {
        state.ledger().violated("the relay of " + login.jid() + " does not close: " + e);
      }
    }
  }
}
