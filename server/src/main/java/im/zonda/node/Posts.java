package im.zonda.node;

import im.zonda.cluster.Member;
import im.zonda.cluster.frame.NodeValue;
import im.zonda.cluster.frame.StanzaBytes;
import im.zonda.cluster.link.LocalMember;
import im.zonda.cluster.placement.Placement;
import im.zonda.module.Envelope;
import im.zonda.route.EnvelopeForm;
import im.zonda.stanza.ReplacementStanza;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Numbers the messages between parts of the server on different nodes ([Post]), over all
/// placements, so that a message that is repeated in the next placement is recognised. Confined to
/// the node's inbox.
final class Posts {
  private static final Logger LOG = LoggerFactory.getLogger(Posts.class);

  /// The status of HTTP.
  private static final int SERVER_ERROR = 500;

  private static final StanzaBytes NOTHING = new StanzaBytes(new byte[0]);

  private final LocalMember node;
  private final int maxBytes;
  private final BiConsumer<Member, Post> receiver;
  private final Map<Member, Long> sent = new HashMap<>();
  private final Map<Member, Long> received = new HashMap<>();

  /// @param maxBytes the most bytes of one value
  /// @param receiver receives the messages that arrive; returns at once
  Posts(LocalMember node, int maxBytes, BiConsumer<Member, Post> receiver) {
    this.node = node;
    this.maxBytes = maxBytes;
    this.receiver = receiver;
  }

  /// Sends a value to a member, which may be this node; does nothing if it is none.
  void send(Member to, Post post) {
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
  private @Nullable StanzaBytes write(Post post) {
    StanzaBytes bytes = PostForm.write(post);
    if (bytes.size() <= maxBytes) {
      return bytes;
    }
    LOG.atError()
        .addKeyValue("kind", post.getClass().getSimpleName())
        .addKeyValue("bytes", bytes.size())
        .log("node_value_too_large");
    return switch (post) {
      case Post.ComponentStanza(long link, long number, StanzaBytes _) ->
          PostForm.write(new Post.ComponentStanza(link, number, replacement()));
      case Post.BoshAnswered(long question, int _, String type, StanzaBytes _) ->
          PostForm.write(new Post.BoshAnswered(question, SERVER_ERROR, type, NOTHING));
      case Post.ComponentOpened _, Post.ComponentWritten _, Post.ComponentEnded _ -> null;
      case Post.ComponentClosed _, Post.ComponentPresence _, Post.MovedHandled _ -> null;
      case Post.Asked _, Post.AskedNoMore _, Post.Answered _, Post.Features _ -> null;
      case Post.Served _, Post.ModuleNotice _, Post.BoshAsked _ -> null;
      case Post.OnlineAsked _, Post.OnlineFound _ -> null;
      case Post.StreamAsked _, Post.StreamAnswered _ -> null;
    };
  }

  private StanzaBytes replacement() {
    Envelope envelope = Envelope.of(ReplacementStanza.ofAny());
    return new StanzaBytes(new EnvelopeForm(maxBytes).write(envelope));
  }

  /// Sends a value to all other members.
  void sendToOthers(Post post) {
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
  void receive(
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
  void deliver(Member from, NodeValue.Posted value) {
    Post post;
    try {
      post = PostForm.read(value.value());
    } catch (IOException | RuntimeException e) {
      LOG.atError().addKeyValue("node", from).setCause(e).log("node_value_refused");
      return;
    }
    receiver.accept(from, post);
  }

  /// Forgets all other members.
  void retain(Predicate<Member> members) {
    sent.keySet().removeIf(members.negate());
    received.keySet().removeIf(members.negate());
  }
}
