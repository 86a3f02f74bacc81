package im.zonda.cluster.node;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.cluster.placement.Placement;
import im.zonda.jid.Jid;
import im.zonda.module.Envelope;
import im.zonda.stanza.Message;
import im.zonda.store.ClusterLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Two nodes send one stanza to the same home: a former home of the sender that is still at work,
/// and the next one, to which the client has sent it again.
class SentByTwoNodesTest {
  private static final Jid ROMEO = HeldOrigin.ROMEO;
  private static final Jid ROOM = Jid.of("coven@rooms.example.org");
  private static final long IDENTITY = 4711;
  private static final long DOUBT = 1_000;

  private final TestNodes nodes =
      new TestNodes(List.of(new EmptyHomes(), new EmptyHomes(), new EmptyHomes()));
  private final List<Envelope> arrived = new ArrayList<>();
  private final List<Sent> handled = new ArrayList<>();

  /// What the log has been asked for.
  private final List<Long> asked = new ArrayList<>();

  /// A stanza, which is in doubt if it has an age.
  private final class Sent extends HeldOrigin {
    private final long identity;
    private final long age;

    Sent(long identity, long age) {
      this.identity = identity;
      this.age = age;
    }

    @Override
    public long identity() {
      return identity;
    }

    @Override
    public long age() {
      return age;
    }

    @Override
    public void release() {
      super.release();
      if (holds == 0) {
        handled.add(this);
      }
    }
  }

  /// Keeps what comes, and has nothing in its log.
  private final class EmptyHomes extends NoHomes {
    @Override
    public void accept(Envelope envelope) {
      envelope.origin().hold();
      arrived.add(envelope);
    }

    @Override
    public Map<Long, ClusterLog.Known> findOrigins(Set<Long> origins, Duration age) {
      asked.addAll(origins);
      return Map.of();
    }
  }

  @BeforeEach
  void start() {
    Placement placement = nodes.placement(2, 0);
    nodes.all().forEach(node -> node.installed(placement));
    nodes.run();
  }

  private Sent send(int node) {
    return send(node, IDENTITY, DOUBT);
  }

  private Sent send(int node, long identity, long age) {
    Sent origin = new Sent(identity, age);
    Message message = Message.of(Message.Type.GROUPCHAT, ROMEO, ROOM, "m", List.of());
    nodes.get(node).forward(ROOM, new Envelope(message, origin, null));
    return origin;
  }

  @Test
  void theHomeGetsItOnceIfBothWaitForTheLog() {
    Sent one = send(0);
    Sent other = send(1);
    nodes.run();
    assertThat(arrived).hasSize(1);
    assertThat(handled).isEmpty();
    arrived.getFirst().origin().release();
    nodes.run();
    assertThat(handled).containsExactlyInAnyOrder(one, other);
  }

  /// The first node does not know that the client has been told to send it again.
  @Test
  void theHomeGetsItOnceIfTheFirstWaitsBehindAnotherOneAndIsInNoDoubt() {
    send(0, 1, DOUBT);
    Sent one = send(0, IDENTITY, 0);
    Sent other = send(1);
    nodes.run();
    assertThat(arrived).hasSize(2);
    arrived.getLast().origin().release();
    nodes.run();
    assertThat(handled).containsExactlyInAnyOrder(one, other);
  }

  /// The log has the first one when its home has handled it, which may take long: a room waits for
  /// the homes of all occupants. It is not asked before: the first might be stored and handled
  /// while it answers that it has none.
  @Test
  void theSecondIsHandledWhenTheFirstIs() {
    Sent one = send(0, IDENTITY, 0);
    nodes.run();
    Sent other = send(1);
    nodes.run();
    nodes.all().forEach(Node::tick);
    nodes.run();
    assertThat(arrived).hasSize(1);
    assertThat(handled).isEmpty();
    arrived.getFirst().origin().release();
    nodes.run();
    assertThat(handled).containsExactlyInAnyOrder(one, other);
    assertThat(arrived).hasSize(1);
    assertThat(asked).isEmpty();
  }

  @Test
  void whatComesBehindTheSecondDoesNotWaitForTheFirst() {
    send(0, IDENTITY, 0);
    nodes.run();
    send(1);
    Sent behind = send(1, 1, 0);
    nodes.run();
    assertThat(arrived).hasSize(2);
    arrived.getLast().origin().release();
    nodes.run();
    assertThat(handled).containsExactly(behind);
  }

  @Test
  void theLogIsAskedForTheSecondWhenTheFirstHasBeenHandled() {
    send(0);
    nodes.run();
    arrived.getFirst().origin().release();
    nodes.run();
    send(1);
    nodes.run();
    assertThat(arrived).hasSize(2); // the log of these homes is empty
  }

  /// One stanza may be for several addresses of a home (XEP-0033).
  @Test
  void aMessageToAnotherAddressOfTheHomeIsAnotherOne() {
    send(0);
    nodes.run();
    Sent origin = new Sent(IDENTITY, DOUBT);
    Jid nick = Jid.of(ROOM + "/nick");
    Message message = Message.of(Message.Type.CHAT, ROMEO, nick, "m", List.of());
    nodes.get(1).forward(ROOM, new Envelope(message, origin, null));
    nodes.run();
    assertThat(arrived).hasSize(2);
  }
}
