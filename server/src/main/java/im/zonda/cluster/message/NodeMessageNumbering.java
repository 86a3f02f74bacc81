package im.zonda.cluster.message;

import im.zonda.cluster.Member;
import im.zonda.cluster.channel.LocalMember;
import im.zonda.cluster.frame.NodeValue;
import im.zonda.cluster.frame.StanzaBytes;
import im.zonda.cluster.placement.Placement;
import im.zonda.module.Envelope;
import im.zonda.route.EnvelopeCodec;
import im.zonda.stanza.ReplacementStanza;
import im.zonda.stanza.StreamErrorCondition;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Numbers the messages between parts of the server on different nodes ([NodeMessage]), over all
/// placements, so that a message that is repeated in the next placement is recognised. Confined to
/// the node's inbox.
public final class NodeMessageNumbering {
  private static final Logger LOG = LoggerFactory.getLogger(NodeMessageNumbering.class);

  /// The status of HTTP.
  private static final int SERVER_ERROR = 500;

  private static final StanzaBytes NOTHING = new StanzaBytes(new byte[0]);

  private final LocalMember node;
  private final int maxBytes;
  private final BiConsumer<Member, NodeMessage> receiver;
  private final Map<Member, Long> sent = new HashMap<>();
  private final Map<Member, Long> received = new HashMap<>();

  /// @param maxBytes the most bytes of one value
  /// @param receiver receives the messages that arrive; returns at once
  public NodeMessageNumbering(
      LocalMember node, int maxBytes, BiConsumer<Member, NodeMessage> receiver) {
    this.node = node;
    this.maxBytes = maxBytes;
    this.receiver = receiver;
  }

  /// Sends a value to a member, which may be this node; does nothing if it is none.
  public void send(Member to, NodeMessage post) {
    Placement placement = node.placement();
    if (placement != null && placement.isMember(to)) {
      StanzaBytes bytes = write(post);
      if (bytes != null) {
        long number = sent.merge(to, 1L, Long::sum);
        node.send(to, new NodeValue.Posted(post.owner(), number, bytes));
      }
    }
  }

  /// The bytes of a value, or of a replacement if it is too large. Null if it has no replacement: a
  /// node that waits for such a value times out.
  private @Nullable StanzaBytes write(NodeMessage post) {
    StanzaBytes bytes = NodeMessageCodec.write(post);
    if (bytes.size() <= maxBytes) {
      return bytes;
    }
    LOG.atError()
        .addKeyValue("kind", post.getClass().getSimpleName())
        .addKeyValue("bytes", bytes.size())
        .log("node_value_too_large");
    return switch (post) {
      case NodeMessage.ComponentStanza(long link, long number, StanzaBytes _) ->
          NodeMessageCodec.write(new NodeMessage.ComponentStanza(link, number, replacement()));
      case NodeMessage.BoshAnswered(long question, int _, String type, StanzaBytes _) ->
          NodeMessageCodec.write(
              new NodeMessage.BoshAnswered(question, SERVER_ERROR, type, NOTHING));
      case NodeMessage.ComponentOpened _,
          NodeMessage.ComponentWritten _,
          NodeMessage.ComponentEnded _ ->
          null;
      case NodeMessage.ComponentClosed _,
          NodeMessage.ComponentPresence _,
          NodeMessage.MovedHandled _ ->
          null;
      case NodeMessage.Asked _,
          NodeMessage.AskedNoMore _,
          NodeMessage.Answered _,
          NodeMessage.Features _ ->
          null;
      case NodeMessage.Served _, NodeMessage.ModuleNotice _, NodeMessage.BoshAsked _ -> null;
      case NodeMessage.OnlineAsked _, NodeMessage.OnlineFound _ -> null;
      case NodeMessage.StreamAsked _, NodeMessage.StreamAnswered _ -> null;
      case NodeMessage.OperationAsked _, NodeMessage.OperationAnswered _ -> null;
      case NodeMessage.Probed _, NodeMessage.ProbeAnswered _ -> null;
    };
  }

  private StanzaBytes replacement() {
    Envelope envelope = Envelope.of(ReplacementStanza.ofAny());
    return new StanzaBytes(new EnvelopeCodec(maxBytes).write(envelope));
  }

  /// Sends a value to all other members.
  public void sendToOthers(NodeMessage post) {
    Placement placement = node.placement();
    if (placement != null) {
      for (Member member : placement.members()) {
        if (!member.equals(node.self())) {
          send(member, post);
        }
      }
    }
  }

  /// A value has arrived. It is delivered unless it has arrived before or has to wait at a gate.
  ///
  /// @param waits keeps a value that has to wait, and says so
  public void receive(
      Member from, NodeValue.Posted value, BiPredicate<Member, NodeValue.Posted> waits) {
    boolean isNew = value.number() > received.getOrDefault(from, 0L);
    if (isNew) {
      received.put(from, value.number());
    }
    if (isNew && !waits.test(from, value)) {
      deliver(from, value);
    }
  }

  /// Gives a value to the part of the server that it is for.
  public void deliver(Member from, NodeValue.Posted value) {
    NodeMessage post = read(from, value);
    if (post != null) {
      receiver.accept(from, post);
    }
  }

  private static @Nullable NodeMessage read(Member from, NodeValue.Posted value) {
    try {
      return NodeMessageCodec.read(value.value());
    } catch (IOException | RuntimeException e) {
      LOG.atError().addKeyValue("node", from).setCause(e).log("node_value_refused");
      return null;
    }
  }

  /// Returns a value for a home that has moved on before it was open here: the stream of a
  /// component that it has announced ends, and the component connects again.
  public void sendBack(Member from, NodeValue value) {
    if (value instanceof NodeValue.Posted posted
        && read(from, posted) instanceof NodeMessage.ComponentOpened(var _, var link)) {
      String condition = StreamErrorCondition.SYSTEM_SHUTDOWN.elementName();
      send(from, new NodeMessage.ComponentClosed(link, condition, ""));
    }
  }

  /// Forgets all other members.
  public void retain(Predicate<Member> members) {
    sent.keySet().removeIf(members.negate());
    received.keySet().removeIf(members.negate());
  }
}
