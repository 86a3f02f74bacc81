package im.zonda.app.journal;

import static im.zonda.app.journal.Scene.JULIET;
import static im.zonda.app.journal.Scene.ROMEO;
import static im.zonda.app.journal.Scene.ROOM;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.config.Guests;
import im.zonda.config.Rooms;
import im.zonda.config.Services;
import im.zonda.config.copy.RecordCopy;
import im.zonda.hook.HookPoint;
import im.zonda.hook.Phase;
import im.zonda.hook.Verdict;
import im.zonda.jid.Jid;
import im.zonda.module.Envelope;
import im.zonda.module.ModuleContext;
import im.zonda.module.XmppModule;
import im.zonda.route.Destination;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Message;
import im.zonda.stanza.Namespaces;
import im.zonda.store.MessageLog;
import im.zonda.store.StoreException;
import im.zonda.store.Stores;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ForwardingLog;
import im.zonda.testkit.server.ForwardingStores;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import im.zonda.xml.Element;
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
      assertCause(scene, "example.org", "not-for-host");
    }
  }

  private static ServerPlan withGuests() {
    Guests guests = new Guests(true, true, false, 100, 100, 0);
    return ServerPlan.of(StandardModules::create).with("services", Services.DEFAULTS.with(guests));
  }

  private static ScriptedClient guest(Scene scene) {
    ScriptedClient guest = scene.server().open("example.org");
    guest.send("<auth xmlns='" + ScriptedClient.SASL + "' mechanism='ANONYMOUS'/>");
    assertThat(guest.receive().localName()).isEqualTo("success");
    return guest.open("example.org");
  }

  @Test
  void aGuestMayAskNoOtherHost() throws IOException {
    try (Scene scene = new Scene(withGuests().withHosts("example.org", "verona.example"))) {
      ScriptedClient guest = guest(scene);
      String address = guest.bind("x");
      guest.send(
          "<iq type='get' id='q1' to='verona.example'><query xmlns='jabber:iq:version'/></iq>");
      guest.receiveFirst(each -> "q1".equals(each.attribute("id")));
      assertThat(Inquiry.reasons(scene.why(address, "verona.example")))
          .first()
          .isEqualTo("refused");
    }
  }

  @Test
  void theHostIsBeingRemoved() throws IOException {
    ServerPlan plan = ServerPlan.of(StandardModules::create);
    try (TestServer server = plan.withHosts("example.org", "verona.example").startOnSockets()) {
      Jid tybalt = Jid.of("tybalt@verona.example");
      server.accounts(List.of(ROMEO, tybalt.toString()));
      // What is on its way to the host has found it already.
      Destination removed = server.server().router().routes().to(tybalt);
      server.reload(config -> RecordCopy.with(config, "hosts", List.of("example.org")));
      removed.accept(
          Envelope.of(
              Message.of(
                  Message.Type.CHAT,
                  Jid.of(ROMEO),
                  tybalt,
                  "m1",
                  List.of(Element.of(Namespaces.CLIENT, "body")))));
      Inquiry inquiry = new Inquiry(server, "example.org", () -> {});
      assertThat(inquiry.why(ROMEO, tybalt.toString())).first().isEqualTo("host-removed");
    }
  }

  @Test
  void tooMuchWaitsForAComponent() throws IOException {
    try (Scene scene = new Scene()) {
      String bot = "bot@" + Scene.COMPONENT;
      for (int i = 0; i < 3; i++) {
        says(scene, bot, "m" + i, "b".repeat(200_000));
      }
      assertCause(scene, bot, "component-queue-full");
    }
  }

  @Test
  void filesAreTooLargeOrTooMany() throws IOException {
    ServerPlan plan = ServerPlan.of(StandardModules::create);
    try (Scene scene = new Scene(plan.with("services.uploads.dayFiles", 0))) {
      ScriptedClient romeo = scene.available(ROMEO);
      String service = "upload.example.org";
      String request =
          "<iq type='get' id='s%s' to='%s'><request xmlns='urn:xmpp:http:upload:0'"
              + " filename='a.jpg' size='%s'/></iq>";
      romeo.send(request.formatted("0", service, 1L << 40));
      romeo.fence("asked");
      List<Map<?, ?>> large = scene.why(ROMEO, service);
      assertThat(Inquiry.reasons(large)).first().isEqualTo("file-too-large");
      assertThat(String.valueOf(large.getFirst().get("text"))).contains("104857600 bytes");
      romeo.send(request.formatted("1", service, 1));
      romeo.fence("asked again");
      List<Map<?, ?>> many = scene.why(Map.of("id", "s1"), ROMEO, service);
      assertThat(Inquiry.reasons(many)).first().isEqualTo("files-full");
      assertThat(String.valueOf(many.getFirst().get("text"))).contains("0 files in 24 hours");
    }
  }

  private static void enters(Scene scene, String more) {
    ScriptedClient romeo = scene.available(ROMEO);
    romeo.send(
        "<presence to='%s/romeo' id='e1'><x xmlns='http://jabber.org/protocol/muc'/>%s</presence>"
            .formatted(ROOM, more));
    romeo.fence("entered");
  }

  @Test
  void onlyAdminsCreateRooms() throws IOException {
    ServerPlan plan = ServerPlan.of(StandardModules::create);
    try (Scene scene = new Scene(plan.with("rooms.creation", Rooms.Creation.ADMINS))) {
      enters(scene, "");
      assertCause(scene, ROOM, "room-not-created");
    }
  }

  @Test
  void anAccountUsesTooMuchMemoryInRooms() throws IOException {
    ServerPlan plan = ServerPlan.of(StandardModules::create);
    try (Scene scene = new Scene(plan.with("limits.allRoomStateBytes", 1))) {
      for (int session = 0; session < 10; session++) {
        enters(scene, "<status>%s</status>".formatted("s".repeat(7_500)));
      }
      assertCause(scene, ROOM, "room-memory");
    }
  }

  @Test
  void theArchiveOfTheRoomTakesNothing() throws IOException {
    List<FailingStores> opened = new ArrayList<>();
    ServerPlan plan =
        ServerPlan.of(StandardModules::create)
            .withStores(inner -> {
              opened.add(new FailingStores(inner));
              return opened.getFirst();
            });
    try (Scene scene = new Scene(plan)) {
      scene.run("room.create", Map.of("room", ROOM, "owner", ROMEO));
      scene.run("room.configure", Map.of("room", ROOM, "archive", "on"));
      ScriptedClient romeo = scene.available(ROMEO);
      romeo.send(
          "<presence to='%s/romeo'><x xmlns='http://jabber.org/protocol/muc'/></presence>"
              .formatted(ROOM));
      romeo.fence("entered");
      opened.getFirst().failing = true;
      romeo.send("<message type='groupchat' to='%s'><body>b</body></message>".formatted(ROOM));
      romeo.fence("said");
      opened.getFirst().failing = false;
      assertCause(scene, ROOM, "room-not-stored");
    }
  }

  @Test
  void aGuestMayNotWrite() throws IOException {
    try (Scene scene = new Scene(withGuests())) {
      ScriptedClient guest = guest(scene);
      String address = guest.bind("x");
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
