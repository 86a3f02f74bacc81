package im.zonda.home.component;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.cluster.Member;
import im.zonda.cluster.message.NodeMessage;
import im.zonda.cluster.placement.ClusterView;
import im.zonda.home.lifecycle.TestStanzas;
import im.zonda.jid.Jid;
import im.zonda.module.Envelope;
import im.zonda.route.Routes;
import im.zonda.stanza.Stanza;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// What waits for a component and moves to another node with its home.
final class MovedStanzasTest {
  private static final Member SELF = new Member("a", 1);
  private static final Jid DOMAIN = Jid.of("gateway.example.org");

  private final List<NodeMessage> posts = new ArrayList<>();
  private final ComponentNodes nodes = new ComponentNodes(new AtSelf(), new Noting(), new Routes());

  /// All homes are at one node.
  private static final class AtSelf implements ClusterView {
    @Override
    public boolean isHere(Jid home) {
      return true;
    }

    @Override
    public Member homeOf(Jid home) {
      return SELF;
    }

    @Override
    public @Nullable Member self() {
      return null;
    }
  }

  private final class Noting implements NodeMessage.Sender {
    @Override
    public void post(Member to, NodeMessage value) {
      posts.add(value);
    }

    @Override
    public void postToOthers(NodeMessage value) {}
  }

  private static WaitingStanza waiting(Stanza stanza) {
    return WaitingStanza.of(Envelope.of(stanza.withAddresses(stanza.from(), DOMAIN)), 0);
  }

  @Test
  void oneThatCannotBeReadCostsItselfAlone() {
    byte[] state =
        nodes.leave(
            SELF,
            DOMAIN,
            Stream.of(
                    TestStanzas.message("1"),
                    TestStanzas.unreadable(TestStanzas.message("2")),
                    TestStanzas.message("3"))
                .map(MovedStanzasTest::waiting)
                .toList());
    List<Envelope> arrived = nodes.arrive(state);
    assertThat(arrived.stream().map(each -> TestStanzas.text(each.stanza())))
        .containsExactly("1", "3");
    assertThat(posts)
        .as("its sender waits no longer")
        .containsExactly(new NodeMessage.MovedHandled(2));
  }
}
