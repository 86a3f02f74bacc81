package im.zonda.home.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.auth.EncryptedStanzaIds;
import im.zonda.cluster.node.Nodes;
import im.zonda.config.ServerConfig;
import im.zonda.home.account.Dispatch;
import im.zonda.home.router.StanzaRouter;
import im.zonda.hook.HostHandlers;
import im.zonda.hook.SessionListener;
import im.zonda.jid.Jid;
import im.zonda.link.ToStream;
import im.zonda.module.Declarations;
import im.zonda.runtime.TestRuntime;
import im.zonda.session.Home;
import im.zonda.session.Session;
import im.zonda.stanza.ErrorCondition;
import im.zonda.storage.memory.MemoryStores;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SessionBindingTest {
  private static final Jid ROMEO = Jid.of("romeo@example.org");

  private final List<String> told = new ArrayList<>();
  private boolean brokenAtBind;
  private boolean brokenAtEnd;

  private final SessionListener broken =
      new SessionListener() {
        @Override
        public void bound(Home home, Session session) {
          if (brokenAtBind) {
            throw new IllegalStateException("a listener at the bind");
          }
        }

        @Override
        public void ended(Home home, Session session) {
          if (brokenAtEnd) {
            throw new IllegalStateException("a listener at the end");
          }
        }
      };

  private final SessionListener second =
      new SessionListener() {
        @Override
        public void bound(Home home, Session session) {
          told.add("bound " + session.jid().resource());
        }

        @Override
        public void ended(Home home, Session session) {
          told.add("ended " + session.jid().resource());
        }
      };

  private final StanzaRouter router = router();

  private StanzaRouter router() {
    ServerConfig defaults = ServerConfig.defaults(List.of("example.org"), Path.of("data"));
    ServerConfig config =
        TestRecords.with(
            defaults, "limits", TestRecords.with(defaults.limits(), "sessionsPerAccount", 1));
    StanzaRouter made =
        new StanzaRouter(
            config,
            MemoryStores.withAccounts(InstantSource.system(), ROMEO),
            Nodes.NONE,
            new TestRuntime().build(),
            new EncryptedStanzaIds(new byte[32]));
    HostHandlers handlers = new HostHandlers();
    handlers.add(Declarations.SESSIONS, 0, broken, "test");
    handlers.add(Declarations.SESSIONS, 0, second, "test");
    Dispatch host = new Dispatch(Jid.of("example.org"), handlers);
    host.limit(config.limits().ofHost());
    made.open(host);
    return made;
  }

  /// The link, if the resource was bound.
  private List<TestLink> bind(String resource) {
    TestLink link = new TestLink(router.sessions(), new RecordingStream());
    ToStream answer = link.bind(ROMEO.withResource(resource)).join();
    if (answer instanceof ToStream.NotBound(ErrorCondition condition)) {
      told.add("refused " + condition);
      return List.of();
    }
    return List.of(link);
  }

  @Test
  void aListenerThatThrowsAtTheBindLeavesNoSessionBehind() {
    brokenAtBind = true;
    assertThat(bind("a")).isEmpty();
    assertThat(told).containsExactly("ended a", "refused INTERNAL_SERVER_ERROR");

    brokenAtBind = false;
    told.clear();
    assertThat(bind("b")).as("the only session that the account may have").hasSize(1);
    assertThat(told).containsExactly("bound b");
  }

  @Test
  void aListenerThatThrowsAtTheEndDoesNotKeepTheSession() {
    brokenAtEnd = true;
    bind("a").getFirst().ended();
    assertThat(told).containsExactly("bound a", "ended a");
    assertThat(bind("b")).hasSize(1);
  }
}
