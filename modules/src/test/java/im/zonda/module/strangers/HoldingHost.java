package im.zonda.module.strangers;

import im.zonda.config.S2s;
import im.zonda.config.S2s.Strangers;
import im.zonda.config.ServerConfig;
import im.zonda.hook.Verdict;
import im.zonda.jid.Jid;
import im.zonda.module.admin.AdminModule;
import im.zonda.module.blocking.BlockingModule;
import im.zonda.module.delay.DelayModule;
import im.zonda.module.disco.DiscoModule;
import im.zonda.module.hints.HintsModule;
import im.zonda.module.offline.OfflineModule;
import im.zonda.module.presence.PresenceModule;
import im.zonda.module.roster.RosterModule;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestSession;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.Message;
import im.zonda.stanza.Stanza;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// A host that holds messages of strangers, with a session of Romeo.
final class HoldingHost {
  static final Jid ROMEO = Jid.of("romeo@example.org");
  static final Jid JULIET = Jid.of("juliet@b.test/balcony");

  private final TestContext context = installed(new TestContext().config(config(Strangers.HOLD)));
  private final TestSession romeo = online(context);

  static TestContext installed(TestContext context) {
    RosterModule roster = new RosterModule();
    PresenceModule presence = new PresenceModule(roster);
    return context.install(
        roster,
        presence,
        new BlockingModule(presence, new AdminModule(new DiscoModule())),
        new DelayModule(),
        new HintsModule(),
        new OfflineModule(),
        new StrangersModule(roster, presence));
  }

  private static TestSession online(TestContext context) {
    TestSession session = context.bind(ROMEO + "/orchard");
    context.sends(session, TestXml.stanza("<presence/>"));
    session.takeReceived();
    context.clock().advance(HeldRounds.PAUSE); // the first round ends
    context.runTasks();
    return session;
  }

  static ServerConfig config(Strangers strangers) {
    S2s s2s = S2s.DEFAULTS;
    return ServerConfig.defaults(List.of("example.org"), Path.of("data"))
        .withS2s(
            new S2s(
                true,
                s2s.listen(),
                s2s.listenTls(),
                s2s.trust(),
                s2s.ca(),
                s2s.giveUp(),
                s2s.idle(),
                s2s.allow(),
                s2s.deny(),
                s2s.stanzaRate(),
                s2s.presenceRate(),
                strangers,
                s2s.dns(),
                s2s.limits(),
                s2s.route(),
                Map.of()));
  }

  Verdict says(Jid from, String body) {
    return context.arrives(
        TestXml.stanza(
            "<message type='chat' from='%s' to='%s/orchard'><body>%s</body></message>"
                .formatted(from, ROMEO, body)));
  }

  boolean isHeld(Jid from, String body) {
    return says(from, body) instanceof Verdict.Keep;
  }

  Map<String, byte[]> stored() {
    return context.stores().keyValues("held").all(ROMEO);
  }

  List<String> received() {
    return romeo.takeReceived().stream()
        .filter(Message.class::isInstance)
        .map(HoldingHost::body)
        .toList();
  }

  static String body(Stanza message) {
    Element body = ((Message) message).payload(new QName("jabber:client", "body"));
    return Objects.requireNonNull(body).text();
  }

  void does(String xml) {
    context.sends(romeo, TestXml.stanza(xml));
  }

  /// Some days pass, one by one.
  void pass(Duration days) {
    for (int i = 0; i < days.toDays(); i++) {
      context.clock().advance(Duration.ofDays(1));
      context.runTasks();
    }
  }

  Verdict arrives(String payloads) {
    return context.arrives(
        TestXml.stanza(
            "<message type='chat' from='%s' to='%s'>%s</message>"
                .formatted(JULIET, ROMEO, payloads)));
  }

  TestContext context() {
    return context;
  }

  TestSession romeo() {
    return romeo;
  }
}
