package im.zonda.app.journal;

import static im.zonda.app.journal.Scene.JULIET;
import static im.zonda.app.journal.Scene.ROMEO;
import static im.zonda.app.journal.Scene.ROOM;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.config.Guests;
import im.zonda.config.Services;
import im.zonda.hook.HookPoint;
import im.zonda.hook.Phase;
import im.zonda.hook.Verdict;
import im.zonda.module.ModuleContext;
import im.zonda.module.XmppModule;
import im.zonda.stanza.ErrorCondition;
import im.zonda.store.MessageLog;
import im.zonda.store.StoreException;
import im.zonda.store.Stores;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ForwardingLog;
import im.zonda.testkit.server.ForwardingStores;
import im.zonda.testkit.server.ServerPlan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Why messages do not arrive when something is wrong, or when much is going on.
@Timeout(60)
class FaultsTest {
  /// Refuses the message `refused` without a reason, and fails at `failed`.
  private static final class FaultyModule implements XmppModule {
    @Override
    public String name() {
      return "faulty";
    }

    @Override
    public void install(ModuleContext context) {
      context.onMessage(
          HookPoint.SENT_BY_CLIENT,
          Phase.REFUSE,
          (message, home, session) -> {
            if ("failed".equals(message.id())) {
              throw new IllegalStateException("made to fail by the test");
            }
            return "refused".equals(message.id())
                ? Verdict.refuse(ErrorCondition.NOT_ACCEPTABLE)
                : Verdict.pass();
          });
    }
  }

  /// Stores whose message log takes nothing while `failing` is set.
  private static final class FailingStores implements ForwardingStores {
    private final Stores inner;
    private volatile boolean failing;

    FailingStores(Stores inner) {
      this.inner = inner;
    }

    @Override
    public Stores inner() {
      return inner;
    }

    @Override
    public MessageLog messages() {
      MessageLog log = inner.messages();
      return new ForwardingLog() {
        @Override
        public MessageLog inner() {
          return log;
        }

        private void check() {
          if (failing) {
            throw new StoreException(
                StoreException.Category.UNAVAILABLE, "made to fail by the test", null);
          }
        }

        @Override
        public Receipt append(Entry entry, Keep keep, boolean waiting) {
          check();
          return log.append(entry, keep, waiting);
        }

        @Override
        public Receipt append(Entry entry, Keep keep, boolean waiting, Entry sent) {
          check();
          return log.append(entry, keep, waiting, sent);
        }
      };
    }
  }

  private static ServerPlan faulty() {
    return ServerPlan.of(() -> {
      List<XmppModule> modules = new ArrayList<>(StandardModules.create());
      modules.addFirst(new FaultyModule());
      return modules;
    });
  }

  private static void says(Scene scene, String to, String id, String body) {
    ScriptedClient romeo = scene.available(ROMEO);
    romeo.send(
        "<message type='chat' to='%s' id='%s'><body>%s</body></message>".formatted(to, id, body));
    romeo.fence("said");
  }

  private static void assertCause(Scene scene, String receiver, String cause) {
    List<Map<?, ?>> findings = scene.why(ROMEO, receiver);
    assertThat(Inquiry.reasons(findings)).first().isEqualTo(cause);
    assertThat(String.valueOf(findings.getFirst().get("text"))).doesNotContain("null", "{");
  }

  @Test
  void aModuleRefusesIt() throws IOException {
    try (Scene scene = new Scene(faulty())) {
      says(scene, JULIET, "refused", "b");
      assertCause(scene, JULIET, "module");
      assertThat(String.valueOf(scene.why(ROMEO, JULIET).getFirst().get("text")))
          .contains("faulty");
    }
  }

  @Test
  void theServerFails() throws IOException {
    try (Scene scene = new Scene(faulty())) {
      says(scene, JULIET, "failed", "b");
      assertCause(scene, JULIET, "server-failure");
    }
  }

  @Test
  void theDatabaseTakesNothing() throws IOException {
    List<FailingStores> opened = new ArrayList<>();
    ServerPlan plan =
        ServerPlan.of(StandardModules::create)
            .withStores(inner -> {
              opened.add(new FailingStores(inner));
              return opened.getFirst();
            });
    try (Scene scene = new Scene(plan)) {
      ScriptedClient romeo = scene.available(ROMEO);
      opened.getFirst().failing = true;
      romeo.send("<message type='chat' to='%s'><body>b</body></message>".formatted(JULIET));
      romeo.fence("said");
      opened.getFirst().failing = false;
      assertCause(scene, JULIET, "store-unavailable");
    }
  }

  @Test
  void theHostHandlesNoMessages() throws IOException {
    try (Scene scene = new Scene()) {
      says(scene, "example.org", "m1", "b");
      assertCause(scene, "example.org", "refused");
    }
  }

  @Test
  void aGuestMayNotWrite() throws IOException {
    Guests guests = new Guests(true, true, false, 100, 100, 0);
    ServerPlan plan =
        ServerPlan.of(StandardModules::create).with("services", Services.DEFAULTS.with(guests));
    try (Scene scene = new Scene(plan)) {
      ScriptedClient guest = scene.server().open("example.org");
      guest.send("<auth xmlns='" + ScriptedClient.SASL + "' mechanism='ANONYMOUS'/>");
      assertThat(guest.receive().localName()).isEqualTo("success");
      String address = guest.open("example.org").bind("x");
      guest.send("<message type='chat' to='%s' id='m1'><body>b</body></message>".formatted(JULIET));
      guest.fence("said");
      assertThat(Inquiry.reasons(scene.why(address, JULIET)))
          .first()
          .isEqualTo("guest-not-allowed");
    }
  }

  @Test
  void theRoomHasIt() throws IOException {
    try (Scene scene = new Scene()) {
      scene.run("room.create", Map.of("room", ROOM, "owner", JULIET));
      ScriptedClient romeo = scene.available(ROMEO);
      romeo.send(
          "<presence to='%s/romeo'><x xmlns='http://jabber.org/protocol/muc'/></presence>"
              .formatted(ROOM));
      romeo.send(
          "<message type='groupchat' id='g1' to='%s'><body>b</body></message>".formatted(ROOM));
      romeo.fence("said");
      assertThat(Inquiry.reasons(scene.why(Map.of("id", "g1"), ROMEO, ROOM)))
          .first()
          .isEqualTo("room-has-it");
      assertThat(Inquiry.reasons(scene.why(Map.of("id", "g2"), ROMEO, ROOM)))
          .first()
          .isEqualTo("never-sent");
    }
  }
}
