package im.zonda.node;

import im.zonda.cluster.Member;
import im.zonda.cluster.frame.NodeValue;
import im.zonda.jid.Jid;
import im.zonda.module.Envelope;
import im.zonda.module.Origin;
import im.zonda.node.inbox.Inbox;
import im.zonda.node.stanza.ArrivedStanzas;
import im.zonda.node.stanza.NodeOrigin;
import im.zonda.node.stanza.ResentStanzas;
import im.zonda.route.EnvelopeForm;
import im.zonda.route.EnvelopeFormatException;
import im.zonda.stanza.Message;
import im.zonda.stanza.Stanza;
import im.zonda.store.MessageLog;
import im.zonda.store.StanzaIdentity;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Hands the stanzas that have come to this node to their homes, each once: a stanza that is sent
/// again is recognised by its number, or, if a node that is gone may have handled it, by what the
/// message log has. Confined to the node's inbox.
///
/// A room gets a message that it has stored again, with the entry that it has ([Origin#entry]): a
/// former home of the room may have died before all occupants had it.
final class RoutedStanzas {
  private static final Logger LOG = LoggerFactory.getLogger(RoutedStanzas.class);

  /// How long a stanza waits for what its home still does with it since another node has sent it,
  /// in ms. Only what could not wait for each other would take so long.
  private static final long PATIENCE = 10_000;

  /// A stanza that its home handles.
  private record Handled(long identity, String owner) {
    static Handled of(NodeValue.Route route) {
      return new Handled(route.identity(), route.owner());
    }
  }

  private final Node node;
  private final NodeSetup setup;
  private final Segments segments;
  private final Inbox inbox;
  private final EnvelopeForm envelopes;
  private final LocalHomes homes;
  private final ArrivedStanzas arrived = new ArrivedStanzas();
  private final ResentStanzas resent = new ResentStanzas();

  /// How many of each the homes of this node handle.
  private final Map<Handled, Integer> beingHandled = new HashMap<>();

  /// What is being handed to its home.
  private volatile @Nullable Envelope delivered;

  RoutedStanzas(Node node, NodeSetup setup, Segments segments, Inbox inbox, LocalHomes homes) {
    this.node = node;
    this.setup = setup;
    this.segments = segments;
    this.inbox = inbox;
    this.envelopes = new EnvelopeForm(setup.maxBytes());
    this.homes = homes;
  }

  /// Which stanzas have come.
  ArrivedStanzas arrived() {
    return arrived;
  }

  /// Whether a stanza is the one that is being handed to its home. Any thread may call.
  @SuppressWarnings("ReferenceEquality") // an equal one is another one
  boolean isBeingDelivered(Envelope envelope) {
    return envelope == delivered;
  }

  /// A stanza has come for a home that is here.
  ///
  /// @param members those of the placement
  void accept(Member from, NodeValue.Route route, Collection<Member> members) {
    String source = route.stanza().origin().source();
    int segment = node.segmentOf(route.owner());
    switch (arrived.take(source, route.entry(), segment, members)) {
      case PENDING -> {}
      case HANDLED -> node.say(from, new NodeValue.Safe(route.entry()));
      case NEW -> {
        if (route.age() > 0 || resent.isBehind(from, route.owner())) {
          if (!from.equals(node.self())) {
            segments.sent(segment); // what this node sends to the home must not overtake
          }
          resent.add(waiting(from, route));
          inbox.submit(this::lookUp); // when all that has come at the same time is here
        } else {
          deliver(from, route, 0, () -> {});
        }
      }
    }
  }

  // ---- stanzas that a node which is gone may have handled

  private ResentStanzas.Waiting waiting(Member from, NodeValue.Route route) {
    long origin = 0;
    boolean toRoom = false;
    // One that is in no doubt itself may have been sent again by another node that waits, too.
    Message message = message(route);
    Jid to = message == null ? null : message.to();
    if (message != null && to != null) {
      boolean toAll = message.type() == Message.Type.GROUPCHAT;
      toRoom = toAll && to.resource() == null;
      // What a room sends to an occupant is in no log.
      origin = toAll && !toRoom ? 0 : StanzaIdentity.at(route.identity(), to, message);
    }
    return new ResentStanzas.Waiting(from, route, origin, toRoom, setup.clock().getAsLong());
  }

  private @Nullable Message message(NodeValue.Route route) {
    try {
      byte[] bytes = route.stanza().bytes().array();
      Stanza stanza = envelopes.read(bytes, (_, _) -> Origin.NONE).stanza();
      return stanza instanceof Message message ? message : null;
    } catch (EnvelopeFormatException e) {
      return null; // it is delivered, which reports it
    }
  }

  /// To be called some times a second: asks the log again after a failure.
  void tick() {
    lookUp();
  }

  private void lookUp() {
    ResentStanzas.Question question = resent.ask(this::isSettled);
    if (question != null) {
      setup.workers().execute(() -> lookUp(question));
    } else {
      deliverAnswered(resent.unasked(), Map.of());
    }
  }

  /// Whether the log has what the home does with the same stanza, which another node has sent: one
  /// that is gone, or a former home of the sender that still had it on its way when the sender's
  /// client was told to send it again.
  private boolean isSettled(ResentStanzas.Waiting stanza) {
    return !beingHandled.containsKey(Handled.of(stanza.route()))
        || setup.clock().getAsLong() - stanza.since() > PATIENCE;
  }

  private void lookUp(ResentStanzas.Question question) {
    try {
      Map<Long, MessageLog.Known> found = homes.findOrigins(question.origins(), question.age());
      inbox.submit(() -> {
        deliverAnswered(resent.answered(question), found);
        lookUp();
      });
    } catch (RuntimeException e) {
      LOG.atWarn().setCause(e).log("origins_not_read");
      inbox.submit(() -> resent.failed(question));
    }
  }

  private void deliverAnswered(
      List<ResentStanzas.Waiting> stanzas, Map<Long, MessageLog.Known> found) {
    Map<Long, Long> ids = new HashMap<>();
    found.forEach((origin, known) -> ids.put(origin, known.id()));
    Map<Long, List<ResentStanzas.Waiting>> again = new HashMap<>();
    for (ResentStanzas.Waiting each : ResentStanzas.inOrderOfRooms(stanzas, ids)) {
      long entry = ids.getOrDefault(each.origin(), 0L);
      List<ResentStanzas.Waiting> others = again.get(each.origin());
      if (entry == 0 && others != null) {
        // Another node has sent the same stanza: it is handled when the first one is.
        others.add(each);
        node.reached(each.from(), each.route());
      } else if (entry == 0 && each.origin() != 0) {
        List<ResentStanzas.Waiting> same = new ArrayList<>(0);
        again.put(each.origin(), same);
        deliver(each.from(), each.route(), entry, () -> same.forEach(this::handled));
      } else if (entry == 0 || each.toRoom()) {
        deliver(each.from(), each.route(), entry, () -> {});
      } else {
        // A session of its receiver gets what waits in the log.
        handled(each.from(), each.route());
        node.reached(each.from(), each.route());
      }
      noLongerWaits(each);
    }
  }

  private void noLongerWaits(ResentStanzas.Waiting stanza) {
    if (!stanza.from().equals(node.self())) {
      segments.taken(node.segmentOf(stanza.route().owner()));
    }
  }

  /// Leaves what waits for the log to the homes of another placement: its source sends it again.
  void leaveWaiting() {
    for (ResentStanzas.Waiting each : resent.clear()) {
      arrived.leave(each.route().stanza().origin().source(), each.route().entry());
      noLongerWaits(each);
    }
  }

  // ---- to the home

  private void handled(Member from, NodeValue.Route route) {
    arrived.handled(route.stanza().origin().source(), route.entry());
    node.say(from, new NodeValue.Safe(route.entry()));
  }

  private void handled(ResentStanzas.Waiting stanza) {
    handled(stanza.from(), stanza.route());
  }

  private void markHandled(Member from, NodeValue.Route route, Runnable then) {
    beingHandled.computeIfPresent(Handled.of(route), (_, count) -> count == 1 ? null : count - 1);
    if (resent.isWaiting()) {
      inbox.submit(this::lookUp); // when all that was committed at the same time is handled
    }
    handled(from, route);
    then.run();
  }

  /// @param entry see [Origin#entry]
  /// @param then runs when it has been handled
  private void deliver(Member from, NodeValue.Route route, long entry, Runnable then) {
    beingHandled.merge(Handled.of(route), 1, Integer::sum);
    Runnable handled = () -> inbox.runAlone(() -> markHandled(from, route, then));
    NodeOrigin.Cause cause =
        new NodeOrigin.Cause(route.identity(), route.age(), entry, route.stanza().stored());
    List<NodeOrigin> made = new ArrayList<>(1);
    Envelope envelope;
    try {
      envelope =
          envelopes.read(
              route.stanza().bytes().array(),
              (session, number) -> {
                NodeOrigin origin = new NodeOrigin(session, number, cause, handled);
                made.add(origin);
                return origin;
              });
    } catch (EnvelopeFormatException e) {
      LOG.atError().addKeyValue("node", from).setCause(e).log("node_value_refused");
      handled.run();
      return;
    }
    try {
      delivered = envelope;
      homes.accept(envelope);
    } finally {
      delivered = null;
      node.reached(from, route);
      if (made.isEmpty()) {
        handled.run();
      } else {
        made.getFirst().release();
      }
    }
  }
}
