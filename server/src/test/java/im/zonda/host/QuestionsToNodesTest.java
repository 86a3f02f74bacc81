package im.zonda.host;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.account.OnlineAccounts;
import im.zonda.bytestream.Bytestreams;
import im.zonda.cluster.Member;
import im.zonda.cluster.forward.StanzaForwarder;
import im.zonda.cluster.frame.StanzaBytes;
import im.zonda.cluster.message.NodeMessage;
import im.zonda.cluster.node.Nodes;
import im.zonda.cluster.placement.ClusterView;
import im.zonda.cluster.replica.Replication;
import im.zonda.jid.Jid;
import im.zonda.module.Scheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Questions to all nodes, of which one leaves before it answers: nobody waits until their time is
/// over.
class QuestionsToNodesTest {
  private static final Member SELF = new Member("a", 1);
  private static final Member OTHER = new Member("b", 1);
  private static final Member LEAVING = new Member("c", 1);
  private static final Set<Member> ALL = Set.of(SELF, OTHER, LEAVING);

  /// Timers never run.
  private final Scheduler scheduler = (_, _) -> () -> {};

  private final List<NodeMessage> sent = new ArrayList<>();
  private final Nodes nodes =
      new Nodes(new View(), StanzaForwarder.NONE, Replication.NONE, new Recorder(), local -> local);

  private final class Recorder implements NodeMessage.Sender {
    @Override
    public void post(Member to, NodeMessage value) {}

    @Override
    public void postToOthers(NodeMessage value) {
      sent.add(value);
    }
  }

  private static final class View implements ClusterView {
    @Override
    public boolean isHere(Jid home) {
      return true;
    }

    @Override
    public @Nullable Member homeOf(Jid home) {
      return SELF;
    }

    @Override
    public Member self() {
      return SELF;
    }

    @Override
    public Set<Member> members() {
      return ALL;
    }
  }

  @Test
  void accountsThatAreOnlineAreThoseOfTheNodesThatRemain() {
    OnlineSessions online = new OnlineSessions(List::of, _ -> true, nodes, scheduler);
    online.placed(ALL);
    List<OnlineAccounts.Found> found = new ArrayList<>();
    online.find("example.org", OnlineAccounts.Activity.ONLINE, null, 10, found::add);
    long question = ((NodeMessage.OnlineAsked) sent.getFirst()).question();
    online.receive(OTHER, new NodeMessage.OnlineFound(question, 1, new StanzaBytes(new byte[0])));
    assertThat(found).isEmpty();
    online.placed(ALL);
    assertThat(found).isEmpty();
    online.placed(Set.of(SELF, OTHER));
    assertThat(found).containsExactly(new OnlineAccounts.Found(1, List.of(), false));
  }

  @Test
  void aBytestreamIsActivatedByTheNodesThatRemain() {
    NodeBytestreams streams = new NodeBytestreams(nodes, scheduler);
    streams.placed(ALL);
    List<Bytestreams.Activation> outcomes = new ArrayList<>();
    streams.activate("address", Jid.of("romeo@example.org"), outcomes::add);
    long question = ((NodeMessage.StreamAsked) sent.getFirst()).question();
    streams.receive(
        OTHER,
        new NodeMessage.StreamAnswered(question, Bytestreams.Activation.NOT_CONNECTED.name()));
    assertThat(outcomes).isEmpty();
    streams.placed(Set.of(SELF, OTHER));
    assertThat(outcomes).containsExactly(Bytestreams.Activation.NOT_CONNECTED);
  }
}
