package im.zonda.module.strangers;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.S2s;
import im.zonda.config.S2s.Strangers;
import im.zonda.config.ServerConfig;
import im.zonda.hook.Verdict;
import im.zonda.jid.Jid;
import im.zonda.module.presence.PresenceModule;
import im.zonda.module.roster.RosterModule;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestSession;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.ErrorType;
import im.zonda.store.RosterItem;
import im.zonda.store.Subscription;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StrangersModuleTest {
  private static final String ROMEO = "romeo@example.org";

  private final TestContext context =
      new TestContext().config(config(Strangers.REJECT, Map.of("friendly.test", Strangers.ACCEPT)));
  private final TestSession romeo = installed(context);

  private static TestSession installed(TestContext context) {
    RosterModule roster = new RosterModule();
    PresenceModule presence = new PresenceModule(roster);
    context.install(roster, presence, new StrangersModule(roster, presence));
    return context.bind(ROMEO + "/orchard");
  }

  private static ServerConfig config(Strangers all, Map<String, Strangers> byDomain) {
    ServerConfig defaults = ServerConfig.defaults(List.of("example.org"), Path.of("data"));
    S2s s2s = S2s.DEFAULTS;
    Map<String, S2s.Domain> domains = new HashMap<>();
    byDomain.forEach(
        (domain, own) -> domains.put(domain, new S2s.Domain(null, null, null, null, own)));
    return defaults.withS2s(
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
            all,
            s2s.dns(),
            s2s.limits(),
            s2s.route(),
            domains));
  }

  private Verdict message(String type, String from, String to) {
    return context.arrives(
        TestXml.stanza(
            "<message type='%s' from='%s' to='%s'><body>x</body></message>"
                .formatted(type, from, to)));
  }

  private boolean isAccepted(String from) {
    Verdict verdict = message("chat", from, ROMEO);
    assertThat(message("normal", from, ROMEO + "/orchard")).isEqualTo(verdict);
    return verdict instanceof Verdict.Pass;
  }

  private void say(String type, String to) {
    assertThat(
            context.sends(
                romeo,
                TestXml.stanza(
                    "<message type='%s' to='%s'><body>x</body></message>".formatted(type, to))))
        .isEqualTo(Verdict.pass());
  }

  private void contact(Subscription subscription, boolean ask, boolean listed) {
    Jid jid = Jid.of("juliet@b.test");
    context
        .stores()
        .rosters()
        .put(
            Jid.of(ROMEO),
            new RosterItem(jid, null, subscription, ask, false, List.of(), null, listed));
    context.home(Jid.of(ROMEO)).unload();
  }

  @Test
  void aStrangerIsAnsweredThatASubscriptionIsRequired() {
    assertThat(message("chat", "juliet@b.test/balcony", ROMEO))
        .isInstanceOfSatisfying(
            Verdict.Refuse.class,
            refused -> {
              assertThat(refused.error().condition())
                  .isEqualTo(ErrorCondition.SUBSCRIPTION_REQUIRED);
              assertThat(refused.error().type()).isEqualTo(ErrorType.AUTH);
            });
  }

  @Test
  void anAccountThatDoesNotExistAnswersTheSame() {
    assertThat(message("chat", "juliet@b.test/balcony", "nobody@example.org"))
        .isEqualTo(message("chat", "juliet@b.test/balcony", ROMEO));
    assertThat(message("chat", "tybalt@example.org/x", "nobody@example.org"))
        .isEqualTo(Verdict.pass());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tybalt@example.org/hall",
        "nurse@example.net",
        "hag@gateway.example.org",
        "coven@rooms.example.org/hag",
        "example.org",
        "juliet@friendly.test/x"
      })
  void usersOfThisServerAndOfAcceptedDomainsAreNoStrangers(String from) {
    assertThat(isAccepted(from)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "NONE, false, true, true",
    "NONE, true, true, true",
    "FROM, false, true, true",
    "BOTH, false, true, true",
    "NONE, false, false, false"
  })
  void contactsAreNoStrangers(
      Subscription subscription, boolean ask, boolean listed, boolean accepted) {
    contact(subscription, ask, listed);
    assertThat(isAccepted("juliet@b.test/balcony")).isEqualTo(accepted);
    assertThat(isAccepted("nurse@b.test")).isFalse();
  }

  @Test
  void someoneWhoWasWrittenToMayAnswer() {
    say("chat", "juliet@b.test/balcony");
    assertThat(isAccepted("juliet@b.test/chamber")).isTrue();
    assertThat(isAccepted("nurse@b.test")).isFalse();
    context.home(Jid.of(ROMEO)).unload();
    assertThat(isAccepted("juliet@b.test")).as("after the home was loaded again").isTrue();
    say("chat", "nurse@b.test");
    context.home(Jid.of(ROMEO)).unload();
    assertThat(isAccepted("nurse@b.test")).isTrue();
    assertThat(isAccepted("juliet@b.test")).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"error", "groupchat", "headline"})
  void onlyMessagesOfAConversationMakeSomeoneKnown(String type) {
    say(type, "juliet@b.test");
    assertThat(isAccepted("juliet@b.test")).isFalse();
  }

  @Test
  void theOldestIsForgottenWhenTooManyWereWrittenTo() {
    for (int i = 0; i <= Correspondents.MAX; i++) {
      say("chat", "u" + i + "@b.test");
    }
    assertThat(isAccepted("u0@b.test")).isFalse();
    assertThat(isAccepted("u1@b.test")).isTrue();
    String local = "l".repeat(1_000);
    for (int i = 0; i <= Correspondents.MAX_LENGTH / 1_000; i++) {
      say("chat", local + i + "@b.test");
    }
    assertThat(isAccepted("u" + Correspondents.MAX + "@b.test")).isFalse();
    context.home(Jid.of(ROMEO)).unload();
    assertThat(isAccepted(local + "9@b.test")).isTrue();
  }

  @Test
  void theRoomsOfAnOccupantAreNoStrangers() {
    assertThat(isAccepted("coven@rooms.b.test/hag")).isFalse();
    context.sends(romeo, TestXml.stanza("<presence to='coven@rooms.b.test/romeo'/>"));
    assertThat(isAccepted("coven@rooms.b.test/hag")).isTrue();
    assertThat(isAccepted("coven@rooms.b.test")).isTrue();
    assertThat(isAccepted("other@rooms.b.test/hag")).isFalse();
    context.sends(
        romeo, TestXml.stanza("<presence type='unavailable' to='coven@rooms.b.test/romeo'/>"));
    assertThat(isAccepted("coven@rooms.b.test/hag")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"error", "groupchat", "headline"})
  void otherMessagesPass(String type) {
    assertThat(message(type, "juliet@b.test/balcony", ROMEO)).isEqualTo(Verdict.pass());
  }

  @Test
  void aStrangerMayAskForASubscription() {
    context.arrives(
        TestXml.stanza("<presence type='subscribe' from='juliet@b.test' to='" + ROMEO + "'/>"));
    assertThat(isAccepted("juliet@b.test")).as("not yet").isFalse();
    context.sends(romeo, TestXml.stanza("<presence type='subscribed' to='juliet@b.test'/>"));
    assertThat(isAccepted("juliet@b.test")).isTrue();
  }

  @Test
  void nothingIsDeclaredWhereAllAreAccepted() {
    TestContext open = new TestContext().config(config(Strangers.ACCEPT, Map.of()));
    open.install(new StrangersModule(new RosterModule(), new PresenceModule(new RosterModule())));
    assertThat(open.host().messageFilters()).isZero();
    context.config(config(Strangers.ACCEPT, Map.of("b.test", Strangers.REJECT)));
    assertThat(isAccepted("juliet@b.test")).isFalse();
    assertThat(isAccepted("juliet@c.test")).isTrue();
  }

  @Test
  void itIsInstalledAgainWhenItHasNothingToDoAnyMoreOrHasAgain() {
    StrangersModule module =
        new StrangersModule(new RosterModule(), new PresenceModule(new RosterModule()));
    ServerConfig none = config(Strangers.ACCEPT, Map.of());
    ServerConfig one = config(Strangers.ACCEPT, Map.of("b.test", Strangers.REJECT));
    ServerConfig all = config(Strangers.REJECT, Map.of());
    assertThat(module.reload(none, one)).isFalse();
    assertThat(module.reload(one, all)).isTrue();
    assertThat(module.reload(all, none)).isFalse();
    assertThat(module.reload(none, none)).isTrue();
  }
}
