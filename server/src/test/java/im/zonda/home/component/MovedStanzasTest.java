package im.zonda.home.component;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.cluster.Member;
import im.zonda.home.account.TestStanzas;
import im.zonda.jid.Jid;
import im.zonda.module.Envelope;
import im.zonda.node.Nodes;
import im.zonda.node.Post;
import im.zonda.route.Routes;
import im.zonda.stanza.Stanza;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// What waits for a component and moves to another node with its home.
final class MovedStanzasTest {
  private static final Member SELF = new Member("a", 1);
  private static final Jid DOMAIN = Jid.of("gateway.example.org");

  private final List<Post> posts = new ArrayList<>();
  private final ComponentNodes nodes = new ComponentNodes(nodes(), new Routes());

  private Nodes nodes() {
    return (Nodes)
        Proxy.newProxyInstance(
            Nodes.class.getClassLoader(),
            new Class<?>[] {Nodes.class},
            (self, method, arguments) ->
                switch (method.getName()) {
                  case "homeOf" -> SELF;
                  case "post" -> {
                    posts.add((Post) arguments[1]);
                    yield null;
                  }
                  default -> method.invoke(Nodes.NONE, arguments);
                });
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
    assertThat(posts).as("its sender waits no longer").containsExactly(new Post.MovedHandled(2));
  }
}
