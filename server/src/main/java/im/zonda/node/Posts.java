package im.zonda.node;

import im.zonda.cluster.Member;
import im.zonda.cluster.frame.NodeValue;
import im.zonda.cluster.placement.Placement;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Numbers what parts of the server on different nodes say to each other ([Post]), over all
/// placements: what is sent again in the next placement is recognised. Confined to the node's
/// inbox.
final class Posts {
  private static final Logger LOG = LoggerFactory.getLogger(Posts.class);

  private final Member self;
  private final Node node;
  private final BiConsumer<Member, Post> receiver;
  private final Map<Member, Long> sent = new HashMap<>();
  private final Map<Member, Long> received = new HashMap<>();

  /// @param receiver given what arrives; returns at once
  Posts(Member self, Node node, BiConsumer<Member, Post> receiver) {
    this.self = self;
    this.node = node;
    this.receiver = receiver;
  }

  /// Sends a value to a member, which may be this node; does nothing if it is none.
  void send(Member to, Post post) {
    Placement placement = node.placement();
    if (placement != null && placement.isMember(to)) {
      long number = sent.merge(to, 1L, Long::sum);
      node.say(to, new NodeValue.Posted(post.owner(), number, PostForm.write(post)));
    }
  }

  /// Sends a value to all other members.
  void sendToOthers(Post post) {
    Placement placement = node.placement();
    if (placement != null) {
      for (Member member : placement.members()) {
        if (!member.equals(self)) {
          send(member, post);
        }
      }
    }
  }

  /// A value has arrived. It is delivered unless it has arrived before or has to wait at a gate.
  void receive(Member from, NodeValue.Posted value, Segments segments) {
    boolean isNew = value.number() > received.getOrDefault(from, 0L);
    if (isNew) {
      received.put(from, value.number());
    }
    if (isNew && !segments.awaitGate(from, value)) {
      deliver(from, value);
    }
  }

  /// Gives a value to the part of the server that it is for.
  void deliver(Member from, NodeValue.Posted value) {
    try {
      receiver.accept(from, PostForm.read(value.value()));
    } catch (IOException e) {
      LOG.atError().addKeyValue("node", from).setCause(e).log("node_value_refused");
    }
  }

  /// Forgets all other members.
  void retain(Predicate<Member> members) {
    sent.keySet().removeIf(members.negate());
    received.keySet().removeIf(members.negate());
  }
}
