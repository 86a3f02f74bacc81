package im.zonda.node;

import im.zonda.cluster.Member;
import im.zonda.cluster.frame.NodeValue;
import im.zonda.module.Envelope;
import im.zonda.module.Origin;
import im.zonda.node.stanza.ArrivedStanzas;
import im.zonda.node.stanza.NodeOrigin;
import im.zonda.node.stanza.ResentStanzas;
import im.zonda.route.EnvelopeForm;
import im.zonda.route.EnvelopeFormatException;
import im.zonda.stanza.Message;
import im.zonda.stanza.Stanza;
import im.zonda.store.StanzaIdentity;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Hands the stanzas that have come to this node to their homes, each once: a stanza that is sent
/// again is recognised by its number, or, if a node that is gone may have handled it, by what the
/// message log has. Confined to the node's inbox.
final class RoutedStanzas {
  private static final Logger LOG = LoggerFactory.getLogger(RoutedStanzas.class);

  private final Node node;
  private final NodeSetup setup;
  private final Inbox inbox;
  private final EnvelopeForm envelopes;
  private final LocalHomes homes;
  private final ArrivedStanzas arrived = new ArrivedStanzas();
  private final ResentStanzas resent = new ResentStanzas();

  /// What is being handed to its home.
  private volatile @Nullable Envelope delivered;

  RoutedStanzas(Node node, NodeSetup setup, Inbox inbox, EnvelopeForm envelopes, LocalHomes homes) {
    this.node = node;
    this.setup = setup;
    this.inbox = inbox;
    this.envelopes = envelopes;
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
        if (route.age() > 0 || resent.hasOf(from)) {
          resent.add(from, route, route.age() > 0 ? originOf(route) : 0);
          lookUp();
        } else {
          deliver(from, route);
        }
      }
    }
  }

  // ---- stanzas that a node which is gone may have handled

  /// What the log is asked for; 0 if it has no entry of the stanza. It is not asked for messages to
  /// rooms: that a room has stored one does not mean that all occupants have got it, so it is sent
  /// to them once more.
  private long originOf(NodeValue.Route route) {
    try {
      byte[] bytes = route.stanza().bytes().array();
      Stanza stanza = envelopes.read(bytes, (_, _) -> Origin.NONE).stanza();
      return stanza instanceof Message message && message.type() != Message.Type.GROUPCHAT
          ? StanzaIdentity.at(route.identity(), stanza.to(), stanza)
          : 0;
    } catch (EnvelopeFormatException e) {
      return 0; // it is delivered, which reports it
    }
  }

  /// To be called some times a second: asks the log again after a failure.
  void tick() {
    lookUp();
  }

  private void lookUp() {
    ResentStanzas.Question question = resent.ask();
    if (question != null) {
      setup.workers().execute(() -> lookUp(question));
    } else {
      deliverAnswered(resent.unasked(), Set.of());
    }
  }

  private void lookUp(ResentStanzas.Question question) {
    try {
      Set<Long> found = homes.findOrigins(question.origins(), question.age());
      inbox.submit(() -> {
        deliverAnswered(resent.answered(question), found);
        lookUp();
      });
    } catch (RuntimeException e) {
      LOG.atWarn().setCause(e).log("origins_not_read");
      inbox.submit(() -> resent.failed(question));
    }
  }

  private void deliverAnswered(List<ResentStanzas.Waiting> stanzas, Set<Long> found) {
    for (ResentStanzas.Waiting each : stanzas) {
      if (found.contains(each.origin())) {
        // A session of its receiver gets what waits in the log.
        handled(each.from(), each.route());
        node.reached(each.from(), each.route());
      } else {
        deliver(each.from(), each.route());
      }
    }
  }

  /// Leaves what waits for the log to the homes of another placement: its source sends it again.
  void leaveWaiting() {
    for (ResentStanzas.Waiting each : resent.clear()) {
      arrived.leave(each.route().stanza().origin().source(), each.route().entry());
    }
  }

  // ---- to the home

  private void handled(Member from, NodeValue.Route route) {
    arrived.handled(route.stanza().origin().source(), route.entry());
    node.say(from, new NodeValue.Safe(route.entry()));
  }

  private void deliver(Member from, NodeValue.Route route) {
    Runnable handled = () -> inbox.submit(() -> handled(from, route));
    List<NodeOrigin> made = new ArrayList<>(1);
    Envelope envelope;
    try {
      envelope =
          envelopes.read(
              route.stanza().bytes().array(),
              (session, number) -> {
                NodeOrigin origin =
                    new NodeOrigin(
                        session, number, route.identity(), route.stanza().stored(), handled);
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
