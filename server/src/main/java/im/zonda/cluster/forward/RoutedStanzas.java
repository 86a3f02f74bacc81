package im.zonda.cluster.forward;

import im.zonda.cluster.Member;
import im.zonda.cluster.channel.LocalMember;
import im.zonda.cluster.frame.NodeValue;
import im.zonda.cluster.handover.Segments;
import im.zonda.cluster.inbox.Inbox;
import im.zonda.cluster.port.LocalHomes;
import im.zonda.cluster.port.NodeSetup;
import im.zonda.jid.Jid;
import im.zonda.module.Envelope;
import im.zonda.module.Origin;
import im.zonda.route.EnvelopeCodec;
import im.zonda.route.EnvelopeFormatException;
import im.zonda.stanza.Message;
import im.zonda.store.ClusterLog;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Delivers forwarded stanzas to their homes, each once: a repeated stanza is recognised by its
/// number, or, if a node that is gone may have handled it, by its entry in the message log.
/// Confined to the node's inbox.
///
/// A room gets a stored message again, with the id of its entry ([Origin#entry]): a former home of
/// the room may have died before it had sent the message to all occupants.
public final class RoutedStanzas {
  private static final Logger LOG = LoggerFactory.getLogger(RoutedStanzas.class);

  private final LocalMember node;
  private final NodeSetup setup;
  private final Segments segments;
  private final Inbox inbox;
  private final EnvelopeCodec envelopes;
  private final LocalHomes homes;
  private final ForwardedStanzas forwarded;
  private final ArrivedStanzas arrived = new ArrivedStanzas();
  private final ResentStanzas resent = new ResentStanzas();
  private final HandledStanzas handled = new HandledStanzas(this::origin);

  /// The envelope that is being delivered to its home.
  private volatile @Nullable Envelope delivered;

  /// @param forwarded the stanzas that this node has sent, also to itself
  public RoutedStanzas(
      LocalMember node,
      NodeSetup setup,
      Segments segments,
      Inbox inbox,
      LocalHomes homes,
      ForwardedStanzas forwarded) {
    this.node = node;
    this.setup = setup;
    this.segments = segments;
    this.inbox = inbox;
    this.envelopes = new EnvelopeCodec(setup.maxBytes());
    this.homes = homes;
    this.forwarded = forwarded;
  }

  /// The record of stanzas that have arrived.
  public ArrivedStanzas arrived() {
    return arrived;
  }

  /// Whether a stanza is the one that is being delivered to its home. Any thread may call.
  @SuppressWarnings("ReferenceEquality") // an equal one is another one
  public boolean isBeingDelivered(Envelope envelope) {
    return envelope == delivered;
  }

  /// A stanza has arrived for a home of this node.
  ///
  /// @param members those of the placement
  public void accept(Member from, NodeValue.Route route, Collection<Member> members) {
    String source = route.stanza().origin().source();
    int segment = segments.of(route.owner());
    switch (arrived.take(source, route.entry(), segment, members)) {
      case PENDING -> {}
      case HANDLED -> node.send(from, new NodeValue.Stored(route.entry()));
      case NEW -> {
        if (route.age() > 0 || resent.isBehind(from, route.owner())) {
          if (!from.equals(node.self())) {
            segments.sent(segment); // local stanzas to the home must not overtake it
          }
          resent.add(waiting(from, route));
          inbox.submit(this::lookUp); // after the stanzas that have arrived with it
        } else {
          deliver(from, route, 0);
        }
      }
    }
  }

  // ---- stanzas that a node which is gone may have handled

  private ResentStanzas.Waiting waiting(Member from, NodeValue.Route route) {
    Envelope message = message(route);
    // Looked up also for a first attempt: another node may have sent the same stanza.
    long origin = message == null ? 0 : origin(route, message);
    return new ResentStanzas.Waiting(
        from, route, origin, message != null && isToRoom((Message) message.stanza()));
  }

  private long origin(NodeValue.Route route) {
    Envelope message = message(route);
    return message == null ? 0 : origin(route, message);
  }

  /// The identity of a message in the log; 0 if the log has no such messages: those of a room to an
  /// occupant.
  private static long origin(NodeValue.Route route, Envelope envelope) {
    Message message = (Message) envelope.stanza();
    boolean toOccupant = message.type() == Message.Type.GROUPCHAT && !isToRoom(message);
    return toOccupant ? 0 : envelope.receivedIdentity(route.identity());
  }

  private static boolean isToRoom(Message message) {
    Jid to = message.to();
    return message.type() == Message.Type.GROUPCHAT && to != null && to.resource() == null;
  }

  /// The envelope of a message; null if it is none.
  private @Nullable Envelope message(NodeValue.Route route) {
    try {
      byte[] bytes = route.stanza().bytes().array();
      Envelope envelope = envelopes.read(bytes, (_, _) -> Origin.NONE);
      return envelope.stanza() instanceof Message ? envelope : null;
    } catch (EnvelopeFormatException | RuntimeException e) {
      return null; // delivering it reports the error
    }
  }

  /// To be called a few times a second: asks the log again after a failure.
  public void tick() {
    lookUp();
  }

  private void lookUp() {
    for (ResentStanzas.Waiting each : resent.removeIf(handled::join)) {
      reached(each.from(), each.route());
      noLongerWaits(each);
    }
    ResentStanzas.Question question = resent.ask();
    if (question != null) {
      setup.workers().execute(() -> lookUp(question));
    } else {
      deliverAnswered(resent.unasked(), Map.of());
    }
  }

  private void lookUp(ResentStanzas.Question question) {
    try {
      Map<Long, ClusterLog.Known> found = homes.findOrigins(question.origins(), question.age());
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
      List<ResentStanzas.Waiting> stanzas, Map<Long, ClusterLog.Known> found) {
    Map<Long, Long> ids = new HashMap<>();
    found.forEach((origin, known) -> ids.put(origin, known.id()));
    for (ResentStanzas.Waiting each : ResentStanzas.inOrderOfRooms(stanzas, ids)) {
      long entry = ids.getOrDefault(each.origin(), 0L);
      if (entry == 0 && handled.join(each)) {
        reached(each.from(), each.route());
      } else if (entry == 0 || each.toRoom()) {
        deliver(each.from(), each.route(), entry);
      } else {
        // A session of the receiver gets it from the log.
        handled(each.from(), each.route());
        reached(each.from(), each.route());
      }
      noLongerWaits(each);
    }
  }

  private void noLongerWaits(ResentStanzas.Waiting stanza) {
    if (!stanza.from().equals(node.self())) {
      segments.taken(segments.of(stanza.route().owner()));
    }
  }

  /// Discards the stanzas that wait for the log, at a change of the placement: their sources send
  /// them again.
  public void leaveWaiting() {
    for (ResentStanzas.Waiting each : resent.clear()) {
      arrived.leave(each.route().stanza().origin().source(), each.route().entry());
      noLongerWaits(each);
    }
  }

  // ---- to the home

  /// The home has accepted the stanza: what this node sends to that home now comes later.
  private void reached(Member from, NodeValue.Route route) {
    if (from.equals(node.self()) && forwarded.taken(route.entry())) {
      segments.taken(segments.of(route.owner()));
    }
  }

  private void handled(Member from, NodeValue.Route route) {
    arrived.handled(route.stanza().origin().source(), route.entry());
    node.send(from, new NodeValue.Stored(route.entry()));
  }

  private void markHandled(Member from, HandledStanzas.Handled done, NodeValue.Route route) {
    List<ResentStanzas.Waiting> same = handled.remove(done);
    handled(from, route);
    same.forEach(each -> handled(each.from(), each.route()));
  }

  /// @param entry see [Origin#entry]
  private void deliver(Member from, NodeValue.Route route, long entry) {
    HandledStanzas.Handled begun = handled.add(route);
    Runnable whenHandled = () -> inbox.runAlone(() -> markHandled(from, begun, route));
    NodeOrigin.Cause cause =
        new NodeOrigin.Cause(
            route.identity(), route.age(), entry, route.stanza().stored(), route.trace());
    List<NodeOrigin> made = new ArrayList<>(1);
    Envelope envelope;
    try {
      envelope =
          envelopes.read(
              route.stanza().bytes().array(),
              (session, number) -> {
                NodeOrigin origin = new NodeOrigin(session, number, cause, whenHandled);
                made.add(origin);
                return origin;
              });
    } catch (EnvelopeFormatException | RuntimeException e) {
      LOG.atError().addKeyValue("node", from).setCause(e).log("node_value_refused");
      whenHandled.run();
      return;
    }
    try {
      delivered = envelope;
      homes.accept(envelope);
    } finally {
      delivered = null;
      reached(from, route);
      if (made.isEmpty()) {
        whenHandled.run();
      } else {
        made.getFirst().release();
      }
    }
  }
}
