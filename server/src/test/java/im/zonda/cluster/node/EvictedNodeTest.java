package im.zonda.cluster.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import im.zonda.cluster.Member;
import im.zonda.cluster.forward.StanzaForwarder;
import im.zonda.cluster.placement.Owners;
import im.zonda.cluster.placement.Placement;
import im.zonda.cluster.placement.Topology;
import im.zonda.cluster.port.NodeSetup;
import im.zonda.cluster.port.PlacementFence;
import im.zonda.cluster.replica.HomePart;
import im.zonda.jid.Jid;
import im.zonda.module.Envelope;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Message;
import im.zonda.stanza.StanzaError;
import im.zonda.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/// A node that was evicted from the cluster.
class EvictedNodeTest {
  private static final NoHomes FENCED =
      new NoHomes() {
        @Override
        public List<HomePart> unload(Predicate<Jid> homes) {
          throw new StoreException(StoreException.Category.CLOSED, "fenced", null);
        }
      };

  private static final Jid ROMEO = Jid.of("romeo@example.org");

  private static Placement placement(int epoch, Member only) {
    Owners owners = new Owners(only, null);
    return new Placement(epoch, new Topology(epoch, List.of(only), List.of(owners, owners)));
  }

  private static ServerNode incarnations() {
    return new ServerNode(self ->
        new Node(
            new NodeSetup(
                self,
                2,
                1 << 16,
                (to, frames, _) -> {},
                Runnable::run,
                () -> 0,
                PlacementFence.NONE)));
  }

  /// The database may know it first, and refuses what the homes have to write.
  @Test
  void itForgetsItsHomesAlsoIfNothingCanBeWritten() {
    ServerNode incarnations = incarnations();
    incarnations.start(FENCED);
    assertThatCode(incarnations::evicted).doesNotThrowAnyException();
  }

  @Test
  void withoutAPlacementNothingIsHereAndStanzasAreRejected() {
    List<ErrorCondition> rejected = new ArrayList<>();
    ServerNode incarnations = incarnations();
    incarnations.start(
        new NoHomes() {
          @Override
          public void reject(Envelope envelope, StanzaError error) {
            rejected.add(error.condition());
          }
        });
    Nodes nodes = incarnations.nodes();
    assertThat(nodes.view().isHere(ROMEO)).isFalse();
    assertThat(nodes.view().homeOf(ROMEO)).isNull();
    assertThat(nodes.view().self()).isNull();
    assertThat(nodes.view().members()).isEmpty();
    assertThat(nodes.view().isMember("a#1")).as("nobody is known to be gone").isTrue();
    Envelope envelope =
        Envelope.of(
            Message.of(Message.Type.CHAT, Jid.of("juliet@example.org/b"), ROMEO, "m", List.of()));
    assertThat(nodes.forwarder().isDirect(ROMEO, envelope)).isFalse();
    nodes.forwarder().forward(ROMEO, envelope);
    assertThat(rejected).containsExactly(ErrorCondition.RESOURCE_CONSTRAINT);
    List<Boolean> found = new ArrayList<>();
    nodes.forwarder().find(ROMEO, found::add);
    nodes.forwarder().inBatch(ROMEO, () -> found.add(false));
    assertThat(found).containsExactly(true, false);
    assertThat(nodes.replication().copies()).isTrue();
    assertThat(nodes.replication().hasStandby(ROMEO)).isFalse();
    assertThat(nodes.replication().awaitsSessions(ROMEO)).isZero();
  }

  @Test
  void thePortsLeadToTheNodeOfThePresentIncarnation() {
    ServerNode incarnations = incarnations();
    incarnations.start(new NoHomes() {});
    Nodes nodes = incarnations.nodes();
    for (long each = 1; each <= 2; each++) {
      Member self = new Member("a", each);
      incarnations.installed(self, placement((int) each, self));
      assertThat(nodes.view().self()).isEqualTo(self);
      assertThat(nodes.view().members()).containsExactly(self);
      assertThat(nodes.view().homeOf(ROMEO)).isEqualTo(self);
      assertThat(nodes.view().isMember("b#1")).isFalse();
      incarnations.evicted();
      assertThat(nodes.view().self()).isNull();
    }
  }

  /// Someone may wait for the answer, such as the peer of a stream with another server.
  @Test
  void whatItHasAskedOtherNodesIsAnswered() {
    Member self = new Member("a", 1);
    Member other = new Member("b", 1);
    ServerNode incarnations = incarnations();
    incarnations.start(new NoHomes() {});
    Owners owners = new Owners(other, self);
    incarnations.installed(
        self, new Placement(1, new Topology(1, List.of(self, other), List.of(owners, owners))));
    StanzaForwarder before = incarnations.nodes().forwarder();
    List<Boolean> found = new ArrayList<>();
    before.find(ROMEO, found::add);
    assertThat(found).isEmpty();
    incarnations.evicted();
    assertThat(found).containsExactly(true);
  }
}
