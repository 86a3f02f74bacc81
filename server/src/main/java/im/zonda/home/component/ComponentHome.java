package im.zonda.home.component;

import im.zonda.jid.Jid;
import im.zonda.journal.Place;
import im.zonda.journal.Reason;
import im.zonda.link.ComponentLink;
import im.zonda.module.Envelope;
import im.zonda.route.ErrorReplies;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaError;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.trace.Verdict;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The home of a component's domain: its connections, and the stanzas that wait for them. Confined
/// to the home's mailbox.
final class ComponentHome {
  private final Jid domain;
  private final ComponentBounds bounds;
  private final ErrorReplies errors;

  /// The open connections, and those whose output has not ended.
  private final List<ComponentConnection> connections = new ArrayList<>(2);

  private final WaitingBytes bytes;

  /// Stanzas that arrived while there was no connection, oldest first.
  private final Queue<WaitingStanza> waiting = new ArrayDeque<>();

  /// How many connections there have been.
  private int opened;

  /// Since when there has been no connection, in ms.
  private long away;

  /// Runs when the last connection has ended; null unless the home leaves this node.
  private @Nullable Runnable quiet;

  /// @param now the time in ms
  ComponentHome(Jid domain, ComponentBounds bounds, ErrorReplies errors, long now) {
    this.domain = domain;
    this.bounds = bounds;
    this.errors = errors;
    this.bytes = new WaitingBytes(bounds.queueBytes());
    this.away = now;
  }

  Jid domain() {
    return domain;
  }

  // ---- stanzas for the component

  /// Sends a stanza, keeps it for later, or answers it with an error.
  void accept(Envelope envelope, long now) {
    WaitingStanza stanza = WaitingStanza.of(envelope, now);
    ComponentConnection connection = choose(stanza.sender());
    if (connection != null && connection.hasRoom(stanza)) {
      stanza.hold();
      note(envelope, Verdict.SENT);
      connection.send(stanza, now);
    } else if (isAway(now)) {
      reject(envelope, ErrorCondition.REMOTE_SERVER_TIMEOUT, Reason.COMPONENT_ABSENT);
    } else if (bytes.hasRoom(stanza)) {
      stanza.hold();
      note(envelope, Verdict.QUEUED);
      keep(stanza, connection);
    } else {
      reject(envelope, ErrorCondition.RESOURCE_CONSTRAINT, Reason.COMPONENT_QUEUE_FULL);
    }
  }

  private void note(Envelope envelope, Verdict verdict) {
    if (errors.tracing().on()) {
      errors.tracing().step(envelope, Place.COMPONENT, verdict, null);
    }
  }

  /// The connection for that sender; null if there is none. An ended connection stays assigned to
  /// the senders of its stanzas until it is known which of them have left.
  private @Nullable ComponentConnection choose(Jid sender) {
    if (connections.size() == 1 && connections.getFirst().isOpen()) {
      return connections.getFirst();
    }
    ComponentConnection best = null;
    for (ComponentConnection connection : connections) {
      if (connection.knows(sender)) {
        return connection;
      }
      if (connection.isOpen() && (best == null || connection.rank(sender) > best.rank(sender))) {
        best = connection;
      }
    }
    return best;
  }

  private void keep(WaitingStanza stanza, @Nullable ComponentConnection connection) {
    bytes.add(stanza);
    if (connection == null) {
      waiting.add(stanza);
    } else {
      connection.add(stanza);
    }
  }

  /// Sends a stanza that is held already, or keeps it, whatever waits.
  private void sendAgain(WaitingStanza stanza, long now) {
    ComponentConnection connection = choose(stanza.sender());
    if (connection != null && connection.hasRoom(stanza)) {
      connection.send(stanza, now);
    } else {
      keep(stanza, connection);
    }
  }

  // ---- connections

  /// Adds a connection; false if there are too many.
  boolean open(ComponentLink link) {
    if (connections.stream().filter(ComponentConnection::isOpen).count() >= bounds.connections()) {
      return false;
    }
    connections.add(new ComponentConnection(link, bounds.window(), ++opened));
    return true;
  }

  /// Sends what has waited for a connection.
  void sendWaiting(long now) {
    for (WaitingStanza stanza : drain()) {
      sendAgain(stanza, now);
    }
  }

  /// Sends a stanza of the server over one connection, if that has not ended.
  void sendTo(ComponentLink link, Stanza stanza, long now) {
    ComponentConnection connection = find(link);
    if (connection != null) {
      send(connection, stanza, now);
    }
  }

  /// Sends a stanza of the server over every connection.
  void sendToEach(Stanza stanza, long now) {
    connections.forEach(connection -> send(connection, stanza, now));
  }

  private void send(ComponentConnection connection, Stanza stanza, long now) {
    WaitingStanza sent = WaitingStanza.of(Envelope.of(stanza), now);
    if (connection.hasRoom(sent)) {
      connection.send(sent, now);
    } else {
      bytes.add(sent);
      connection.add(sent);
    }
  }

  private List<WaitingStanza> drain() {
    List<WaitingStanza> all = List.copyOf(waiting);
    waiting.clear();
    all.forEach(bytes::remove);
    return all;
  }

  /// The bytes of the stanzas up to that number have left.
  void written(ComponentLink link, long number, long now) {
    ComponentConnection connection = find(link);
    if (connection == null) {
      return;
    }
    connection.written(number, now).forEach(WaitingStanza::release);
    for (WaitingStanza sent = connection.sendNext(now);
        sent != null;
        sent = connection.sendNext(now)) {
      bytes.remove(sent);
    }
  }

  /// A connection has ended: nothing more is sent over it.
  void end(ComponentLink link, long now) {
    ComponentConnection ended = find(link);
    if (ended == null) {
      return;
    }
    ended.end();
    if (!isConnected()) {
      away = now;
    }
  }

  /// The output of an ended connection has ended: stanzas that have not left go to other
  /// connections, or wait. A stanza of which only a part has left is sent again.
  void endOutput(ComponentLink link, long now) {
    ComponentConnection ended = find(link);
    if (ended == null) {
      return;
    }
    connections.remove(ended);
    List<WaitingStanza> waited = ended.waiting();
    waited.forEach(bytes::remove);
    ended.sent().forEach(stanza -> sendAgain(stanza, now));
    waited.forEach(stanza -> sendAgain(stanza, now));
    notifyIfQuiet();
  }

  // ---- in a cluster

  /// Ends the connections whose node is no longer a member. Stanzas that they were sent and that
  /// have perhaps not left go to other connections, or wait.
  void endLost(Predicate<ComponentLink> lost, long now) {
    for (ComponentConnection connection : List.copyOf(connections)) {
      if (lost.test(connection.link())) {
        end(connection.link(), now);
        endOutput(connection.link(), now);
      }
    }
  }

  /// The home moves to another node: ends the connections.
  ///
  /// @param whenQuiet runs when it is known which stanzas each of them has sent
  void leave(Runnable whenQuiet) {
    quiet = whenQuiet;
    for (ComponentConnection connection : List.copyOf(connections)) {
      connection.link().close(StreamErrorCondition.SYSTEM_SHUTDOWN, "the component has moved");
    }
    notifyIfQuiet();
  }

  private void notifyIfQuiet() {
    Runnable notified = quiet;
    if (notified != null && connections.isEmpty()) {
      quiet = null;
      notified.run();
    }
  }

  /// Removes the stanzas that are not known to have left, oldest first.
  List<WaitingStanza> takeAll(long now) {
    endLost(_ -> true, now);
    return drain();
  }

  private @Nullable ComponentConnection find(ComponentLink link) {
    for (ComponentConnection connection : connections) {
      if (connection.link().equals(link)) {
        return connection;
      }
    }
    return null;
  }

  // ---- time

  /// Answers expired stanzas, and ends connections that do not read.
  void checkTime(long now) {
    long oldest = now - bounds.giveUpMillis();
    for (ComponentConnection connection : connections) {
      if (connection.isStuckSince(oldest)) {
        connection
            .link()
            .close(StreamErrorCondition.CONNECTION_TIMEOUT, "the component does not read");
      }
      for (WaitingStanza late = connection.takeOlder(oldest);
          late != null;
          late = connection.takeOlder(oldest)) {
        bounce(late);
      }
    }
    while (!waiting.isEmpty() && waiting.element().since() <= oldest) {
      bounce(waiting.remove());
    }
  }

  private void bounce(WaitingStanza late) {
    bytes.remove(late);
    returnToSender(late);
  }

  /// Answers a stanza that has been removed with an error.
  void returnToSender(WaitingStanza late) {
    try {
      reject(late.envelope(), ErrorCondition.REMOTE_SERVER_TIMEOUT, Reason.COMPONENT_TIMEOUT);
    } finally {
      late.release();
    }
  }

  private void reject(Envelope envelope, ErrorCondition condition, Reason reason) {
    errors.reject(envelope, StanzaError.of(condition), Place.COMPONENT, reason, null);
  }

  /// Whether there has been no connection for so long that stanzas do not wait for one.
  boolean isAway(long now) {
    return !isConnected() && now - away >= bounds.giveUpMillis();
  }

  /// Whether a component is connected.
  boolean isConnected() {
    return connections.stream().anyMatch(ComponentConnection::isOpen);
  }

  /// Whether no stanza waits or is on its way.
  boolean isIdle() {
    return waiting.isEmpty() && connections.stream().allMatch(ComponentConnection::isIdle);
  }

  /// The bytes of waiting stanzas.
  int waitingBytes() {
    return bytes.total();
  }
}
