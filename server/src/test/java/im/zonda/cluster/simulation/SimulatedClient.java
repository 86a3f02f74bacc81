package im.zonda.cluster.simulation;

import im.zonda.cluster.edge.EdgeReply;
import im.zonda.cluster.frame.Delivery;
import im.zonda.cluster.frame.NodeValue;
import im.zonda.cluster.frame.StanzaBytes;
import im.zonda.cluster.node.NodeInput;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A client with stream management. It keeps what is not acknowledged, resumes its session at any
/// node when its connection breaks, and then sends again what the server does not have.
final class SimulatedClient {
  final String user;
  final String resource;
  private final ClusterSimulation simulation;
  private final ClusterLedger ledger;
  private final Agenda agenda;

  /// The session, until it is known to be over.
  private @Nullable String session;

  private @Nullable Connection connection;
  private boolean attached;
  private boolean offline;

  private @Nullable SimulatedProcess preferred;

  /// Whether a request to bind was given up, which may still replace a later session.
  private boolean abandonedBind;

  private final Deque<ClusterLedger.Message> unacknowledged = new ArrayDeque<>();
  private long sent;
  private long handled;
  private long received;
  private long acknowledged;

  private final boolean alone;

  SimulatedClient(String user, String resource, boolean alone, ClusterSimulation simulation) {
    this.alone = alone;
    this.user = user;
    this.resource = resource;
    this.simulation = simulation;
    this.ledger = simulation.ledger();
    this.agenda = simulation.agenda();
  }

  // ---- connecting

  void connect() {
    SimulatedProcess wanted = preferred;
    preferred = null;
    SimulatedProcess process =
        wanted != null && wanted.isAlive() ? wanted : simulation.anyProcess();
    if (connection != null || offline) {
      return;
    }
    if (process == null) {
      agenda.after(50, this::connect);
      return;
    }
    Connection opened = new Connection(simulation.nextNumber(), process, this, agenda);
    connection = opened;
    attached = false;
    if (session == null) {
      session = user + "#" + simulation.nextNumber();
      unacknowledged.clear();
      sent = 0;
      handled = 0;
      received = 0;
      acknowledged = 0;
      ledger.begins(this, session);
      opened.send(new NodeInput.Bind(opened.number, user, session, resource));
    } else {
      opened.send(new NodeInput.Resume(opened.number, user, session, received));
    }
    agenda.after(agenda.between(600, 900), () -> giveUp(opened));
  }

  private void giveUp(Connection opened) {
    if (connection == opened && !attached) {
      drop();
    }
  }

  /// Loses the connection, and connects again.
  void drop() {
    Connection before = connection;
    if (before != null) {
      before.drop();
      lost(before);
    }
  }

  /// Loses the connection, and connects to that process.
  void move(SimulatedProcess process) {
    if (attached) {
      preferred = process;
      drop();
    }
  }

  void lost(Connection lost) {
    if (connection == lost) {
      connection = null;
      if (!attached && ledger.isBinding(session)) {
        session = null;
        abandonedBind = true;
      }
      attached = false;
      agenda.after(agenda.between(1, 100), this::connect);
    }
  }

  /// Ends the session, and stays away for a while.
  void logOut() {
    Connection before = connection;
    if (before != null && attached && unacknowledged.isEmpty()) {
      acknowledge();
      before.send(new NodeInput.Ended(before.number));
      forget();
      connection = null;
      attached = false;
      offline = true;
      agenda.after(agenda.between(100, 1500), this::logIn);
    }
  }

  void logIn() {
    if (offline) {
      offline = false;
      connect();
    }
  }

  /// The program starts again and does not know its session any more.
  void forgetSession() {
    if (attached) {
      forget();
      drop();
    }
  }

  private void forget() {
    unacknowledged.forEach(message -> message.abandoned = true);
    if (session != null) {
      ledger.over(session);
    }
    session = null;
  }

  // ---- stanzas

  void send(String to, boolean room) {
    Connection open = connection;
    if (open == null || !attached || session == null) {
      return;
    }
    ClusterLedger.Message message = ledger.send(session, ++sent, user, to, room);
    unacknowledged.add(message);
    send(open, message);
  }

  private static void send(Connection open, ClusterLedger.Message message) {
    open.send(
        new NodeInput.Received(
            open.number,
            message.to,
            !message.room,
            new StanzaBytes(message.text.getBytes(StandardCharsets.US_ASCII))));
  }

  void acknowledge() {
    Connection open = connection;
    if (open != null && attached && acknowledged < received) {
      acknowledged = received;
      open.send(new NodeInput.Acknowledged(open.number, received));
    }
  }

  void receive(Connection from, EdgeReply reply) {
    if (from != connection || session == null) {
      return;
    }
    switch (reply) {
      case EdgeReply.Attached(var h) -> {
        attached = true;
        ledger.bound(session);
        simulation.invariants().checkAttached(session);
        handle(h);
        acknowledged = received;
        List<ClusterLedger.Message> again = new ArrayList<>(unacknowledged);
        again.forEach(message -> send(from, message));
      }
      case EdgeReply.Handled(var h) -> handle(h);
      case EdgeReply.Deliver(var delivery) -> deliver(session, delivery);
      case EdgeReply.Refused(var reason) -> refused(from, session, reason);
      case EdgeReply.Pause(), EdgeReply.Unpause(), EdgeReply.Close() -> {}
    }
  }

  private void handle(long h) {
    ledger.check(h >= handled, "I4", () -> session + ": h goes back from " + handled + " to " + h);
    ledger.check(h <= sent, "I4", () -> session + ": h is " + h + " of " + sent);
    handled = h;
    while (!unacknowledged.isEmpty() && unacknowledged.element().number <= h) {
      ledger.acknowledged(unacknowledged.remove());
    }
  }

  private void deliver(String in, Delivery delivery) {
    ledger.check(
        delivery.number() == received + 1,
        "I2",
        () -> in + ": stanza " + delivery.number() + " after " + received);
    received = delivery.number();
    ledger.delivered(this, in, delivery);
    if (simulation.isEnding() || agenda.oneIn(2)) {
      acknowledge();
    }
  }

  private void refused(Connection from, String in, NodeValue.Reason reason) {
    ledger.check(
        reason != NodeValue.Reason.COUNT_TOO_HIGH || ledger.sessionsMayBeLost,
        "I4",
        () -> in + ": the client has more than it was sent");
    if (reason != NodeValue.Reason.SUPERSEDED) {
      ledger.sessionLost(in, abandonedBind);
      forget();
    }
    lost(from);
  }

  /// Whether nothing is on its way from or to it.
  boolean isQuiet() {
    return offline || (attached && unacknowledged.isEmpty());
  }

  boolean isAttached() {
    return attached;
  }

  /// Whether it is the only client of its user.
  boolean isAlone() {
    return alone;
  }

  @Nullable String session() {
    return session;
  }

  @Override
  public String toString() {
    return user
        + "/"
        + resource
        + " "
        + session
        + " attached="
        + attached
        + " sent="
        + sent
        + " handled="
        + handled
        + " received="
        + received;
  }
}
