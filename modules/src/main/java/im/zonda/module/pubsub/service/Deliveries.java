package im.zonda.module.pubsub.service;

import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import im.zonda.module.pubsub.node.Node;
import im.zonda.module.pubsub.node.NodeOption;
import im.zonda.module.pubsub.owner.EventMessages;
import im.zonda.module.pubsub.request.PubSubRequests;
import im.zonda.stanza.Message;
import im.zonda.xml.Element;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The messages that a node has to send, in order: a slice in each turn of the node's mailbox, so
/// that requests to a node with many subscribers do not wait for all of its notifications.
///
/// Confined to the mailbox of the node.
final class Deliveries {
  /// Messages of one turn.
  static final int SLICE = 200;

  /// How many notifications may wait, each for all its receivers. Who causes another one sends the
  /// oldest first.
  static final int MOST = 16;

  private final ModuleContext context;
  private final Jid from;
  private final Turn turn;
  private final Deque<Delivery> waiting = new ArrayDeque<>();
  private boolean awaitsTurn;
  private Duration delay = Duration.ZERO;

  /// Asks for another turn at the home.
  interface Turn {
    /// False if there is none, because the service has ended.
    ///
    /// @param delay the time until then
    boolean await(Duration delay);
  }

  private record Delivery(
      Message.Type type,
      List<Element> payloads,
      Iterator<Map.Entry<Jid, List<String>>> receivers) {}

  /// @param from the address of the service
  Deliveries(ModuleContext context, Jid from, Turn turn) {
    this.context = context;
    this.from = from;
    this.turn = turn;
  }

  /// Sends nothing before that time has passed: subscribers are asked for their presence.
  void hold(Duration time) {
    delay = time;
  }

  /// Whether nothing waits.
  boolean isEmpty() {
    return waiting.isEmpty();
  }

  /// Sends messages with the same content, after the current turn.
  ///
  /// @param receivers the receivers, each with the identifiers of its subscriptions; none if the
  ///   message is not for subscriptions
  /// @param node says what subscriptions there are
  void add(
      Message.Type type, List<Element> payloads, Map<Jid, List<String>> receivers, NodeHome node) {
    waiting.add(new Delivery(type, payloads, receivers.entrySet().iterator()));
    while (waiting.size() > MOST) {
      delay = Duration.ZERO;
      send(waiting.removeFirst(), Integer.MAX_VALUE, node);
    }
    awaitTurn(node);
  }

  /// Sends the next messages.
  void sendSlice(NodeHome node) {
    awaitsTurn = false;
    int left = SLICE;
    while (left > 0 && !waiting.isEmpty()) {
      Delivery next = waiting.getFirst();
      left -= send(next, left, node);
      if (!next.receivers.hasNext()) {
        waiting.removeFirst();
      }
    }
    awaitTurn(node);
  }

  /// Sends all that waits.
  void sendAll(NodeHome node) {
    while (!waiting.isEmpty()) {
      send(waiting.removeFirst(), Integer.MAX_VALUE, node);
    }
  }

  private void awaitTurn(NodeHome node) {
    if (!awaitsTurn && !waiting.isEmpty()) {
      awaitsTurn = true;
      Duration wait = delay;
      delay = Duration.ZERO;
      if (!turn.await(wait)) {
        sendAll(node);
      }
    }
  }

  /// Returns how many messages it has sent.
  private int send(Delivery delivery, int most, NodeHome node) {
    String ids = PubSubRequests.NOTIFICATION + context.ids().next() + ".";
    Message first = null;
    int sent = 0;
    while (sent < most && delivery.receivers.hasNext()) {
      Map.Entry<Jid, List<String>> receiver = delivery.receivers.next();
      List<String> subscriptions = current(receiver, node);
      if (subscriptions == null) {
        continue;
      }
      Jid to = receiver.getKey();
      String id = ids + sent;
      if (subscriptions.size() > 1) {
        List<Element> payloads = EventMessages.withIds(delivery.payloads, subscriptions);
        context.send(Message.of(delivery.type, from, to, id, payloads));
      } else {
        // The content is the same for all.
        first = first == null ? Message.of(delivery.type, from, to, id, delivery.payloads) : first;
        context.send(first.withAddresses(from, to).withId(id));
      }
      sent++;
    }
    return sent;
  }

  /// The subscriptions that have not ended since the notification was caused; null if all have, or
  /// if the subscriber is not available and has to be.
  private static @Nullable List<String> current(
      Map.Entry<Jid, List<String>> receiver, NodeHome home) {
    List<String> ids = receiver.getValue();
    Node node = home.node();
    if (node == null || ids.isEmpty()) {
      return ids;
    }
    if (node.config().isOn(NodeOption.PRESENCE_BASED_DELIVERY)
        && !home.presence().isAvailable(receiver.getKey())) {
      return null;
    }
    List<String> current = new ArrayList<>(ids);
    current.removeIf(id -> !node.subscriptions().containsKey(id));
    return current.isEmpty() ? null : current;
  }
}
