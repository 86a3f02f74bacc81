package im.zonda.home.request;

import im.zonda.cluster.Member;
import im.zonda.cluster.frame.StanzaBytes;
import im.zonda.cluster.message.NodeMessage;
import im.zonda.jid.Jid;
import im.zonda.module.Envelope;
import im.zonda.module.Origin;
import im.zonda.route.EnvelopeCodec;
import im.zonda.route.EnvelopeFormatException;
import im.zonda.stanza.Iq;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The requests of the server that other nodes of the cluster have sent and that have not been
/// answered: the answer may come to this node, and goes to the one that has asked. As many as the
/// other nodes permit themselves. Safe for use by several threads.
final class RequestsElsewhere {
  private static final Logger LOG = LoggerFactory.getLogger(RequestsElsewhere.class);
  private static final int MOST_BYTES = 16 << 20;

  private record Key(String from, String to, String id) {}

  private record Waiting(Member node, Jid requester) {}

  private final NodeMessage.Sender sender;
  private final EnvelopeCodec form = new EnvelopeCodec(MOST_BYTES);
  private final Map<Key, Waiting> waiting = new ConcurrentHashMap<>();

  RequestsElsewhere(NodeMessage.Sender sender) {
    this.sender = sender;
  }

  private static String text(@Nullable Jid jid) {
    return jid == null ? "" : jid.toString();
  }

  // ---- at the node that asks

  /// This node sends a request.
  void sent(Iq request, Jid requester) {
    if (!sender.equals(NodeMessage.Sender.NONE)) {
      sender.postToOthers(
          new NodeMessage.Asked(
              text(request.from()), text(request.to()), request.id(), requester.toString()));
    }
  }

  /// A request of this node has been answered, or its time is over.
  void answered(Iq answer) {
    if (!sender.equals(NodeMessage.Sender.NONE)) {
      sender.postToOthers(
          new NodeMessage.AskedNoMore(text(answer.to()), text(answer.from()), answer.id()));
    }
  }

  // ---- at the others

  /// The requester of a request of another node; null if there is no such request.
  @Nullable Jid requesterOf(Iq request) {
    Waiting sent = waiting.get(new Key(text(request.from()), text(request.to()), request.id()));
    return sent == null ? null : sent.requester();
  }

  /// Sends an answer to the node that waits for it; false if there is none.
  boolean accept(Iq answer) {
    if (waiting.isEmpty()) {
      return false;
    }
    Waiting asked = waiting.remove(new Key(text(answer.to()), text(answer.from()), answer.id()));
    if (asked == null) {
      return false;
    }
    StanzaBytes bytes = new StanzaBytes(form.write(Envelope.of(answer)));
    sender.post(asked.node(), new NodeMessage.Answered(bytes));
    return true;
  }

  /// Handles a message of another node.
  ///
  /// @return the answer to a request of this node; null if it is none
  @Nullable Iq receive(Member from, NodeMessage value) {
    switch (value) {
      case NodeMessage.Asked(String sender, String to, String id, String requester) ->
          waiting.put(new Key(sender, to, id), new Waiting(from, Jid.stored(requester)));
      case NodeMessage.AskedNoMore(String sender, String to, String id) ->
          waiting.computeIfPresent(
              new Key(sender, to, id), (key, asked) -> asked.node().equals(from) ? null : asked);
      case NodeMessage.Answered(StanzaBytes answer) -> {
        return read(answer);
      }
      default -> {}
    }
    return null;
  }

  private @Nullable Iq read(StanzaBytes answer) {
    try {
      Envelope envelope = form.read(answer.array(), (session, number) -> Origin.NONE);
      return envelope.stanza() instanceof Iq iq ? iq : null;
    } catch (EnvelopeFormatException e) {
      LOG.atError().setCause(e).log("node_value_refused");
      return null;
    }
  }

  /// Forgets the requests of all nodes but these.
  void retain(Set<Member> members) {
    waiting.values().removeIf(asked -> !members.contains(asked.node()));
  }
}
