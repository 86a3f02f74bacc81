package im.zonda.module.mam;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.hook.StorageRule.Decision;
import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.hints.HintsModule;
import im.zonda.module.offline.OfflineModule;
import im.zonda.module.roster.RosterModule;
import im.zonda.module.testing.Expect;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestSession;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Message;
import im.zonda.store.RosterItem;
import im.zonda.store.StoreException;
import im.zonda.store.Subscription;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

class PreferenceRuleTest {
  private static final Jid JULIET = Jid.of("juliet@example.org");

  private final TestContext context = new TestContext();
  private final TestSession juliet;

  PreferenceRuleTest() {
    RosterModule roster = new RosterModule();
    context.install(roster, new MamModule(roster), new HintsModule(), new OfflineModule());
    context.account("juliet@example.org");
    context
        .stores()
        .rosters()
        .put(
            JULIET,
            new RosterItem(
                Jid.of("romeo@example.net"),
                null,
                Subscription.BOTH,
                false,
                false,
                List.of(),
                null,
                true));
    juliet = context.bind("juliet@example.org/chamber");
  }

  private IqReply set(String prefs) {
    return context.ask(
        juliet,
        TestXml.iq(
            "<iq type='set' id='juliet3'><prefs xmlns='urn:xmpp:mam:2' "
                + prefs
                + "</prefs></iq>"));
  }

  private IqReply get() {
    return context.ask(
        juliet, TestXml.iq("<iq type='get' id='juliet2'><prefs xmlns='urn:xmpp:mam:2'/></iq>"));
  }

  private static Message from(String sender) {
    return TestXml.message(
        "<message type='chat' from='"
            + sender
            + "' to='juliet@example.org'><body>x</body></message>");
  }

  private static Message to(String receiver) {
    return TestXml.message(
        "<message type='chat' from='juliet@example.org/chamber' to='"
            + receiver
            + "'><body>x</body></message>");
  }

  /// Whether a message stays in Juliet's archive.
  private boolean archived(Message message) {
    boolean permanent = true;
    for (var rule : context.host().storageRules()) {
      Decision decision = rule.decide(message, context.home(JULIET));
      switch (decision) {
        case STORE -> {
          return permanent;
        }
        case SKIP -> Assertions.fail("it would not even be kept until it is delivered");
        case UNTIL_DELIVERED -> permanent = false;
        case UNDECIDED -> {}
      }
    }
    return Assertions.fail("no rule decides");
  }

  @Test
  void everythingIsArchivedUnlessSomeoneSaysOtherwise() {
    Expect.result(
        get(), "<prefs xmlns='urn:xmpp:mam:2' default='always'><always/><never/></prefs>");
    assertThat(archived(from("romeo@example.net/x"))).isTrue();
    assertThat(archived(to("stranger@example.net"))).isTrue();
  }

  @Test
  void whatIsSetIsToldAndLasts() {
    String prefs =
        "<prefs xmlns='urn:xmpp:mam:2' default='roster'><always><jid>romeo@montague.lit</jid>"
            + "</always><never><jid>montague@montague.lit/home</jid></never></prefs>";
    Expect.result(
        set(
            "default='roster'><always><jid> Romeo@montague.lit </jid></always>"
                + "<never><jid>montague@montague.lit/home</jid></never>"),
        prefs);
    Expect.result(get(), prefs);
    context.home(JULIET).unload();
    Expect.result(get(), prefs);
  }

  @Test
  void listsComeBeforeTheDefaultAndResourcesCount() {
    set(
        "default='never'><always><jid>a@x</jid><jid>b@x/1</jid><jid>c@x</jid></always>"
            + "<never><jid>c@x/1</jid></never>");
    assertThat(archived(from("a@x/any"))).isTrue();
    assertThat(archived(to("a@x"))).isTrue();
    assertThat(archived(from("b@x/1"))).isTrue();
    assertThat(archived(from("b@x/2"))).isFalse();
    assertThat(archived(to("b@x"))).isFalse();
    assertThat(archived(from("c@x/1"))).isFalse();
    assertThat(archived(from("c@x/2"))).isTrue();
    assertThat(archived(from("d@x/2"))).isFalse();
  }

  @Test
  void theDefaultRosterIsForContacts() {
    set("default='roster'>");
    assertThat(archived(from("romeo@example.net/orchard"))).isTrue();
    assertThat(archived(to("romeo@example.net"))).isTrue();
    assertThat(archived(from("stranger@example.net"))).isFalse();
    assertThat(archived(to("stranger@example.net"))).isFalse();
  }

  @Test
  void neverMeansUntilItIsDelivered() {
    set("default='never'>");
    assertThat(archived(from("romeo@example.net"))).isFalse();
    assertThat(
            archived(
                TestXml.message(
                    "<message from='a@x' to='juliet@example.org'>"
                        + "<store xmlns='urn:xmpp:hints'/></message>")))
        .isFalse();
  }

  @Test
  void whatCannotBeUnderstoodChangesNothing() {
    for (String bad :
        List.of(
            ">",
            "default='sometimes'>",
            "default='never'><never><jid>@</jid></never>",
            "default='never'><never><jid/></never>")) {
      assertThat(set(bad))
          .isInstanceOfSatisfying(
              IqReply.Refuse.class,
              refused ->
                  assertThat(refused.error().condition()).isEqualTo(ErrorCondition.BAD_REQUEST));
    }
    assertThat(archived(from("a@x"))).isTrue();
  }

  @Test
  void row79_theListsAreBounded() {
    String many =
        IntStream.rangeClosed(0, context.config().limits().rosterItems())
            .mapToObj(i -> "<jid>user" + i + "@x</jid>")
            .collect(Collectors.joining());
    assertThat(set("default='always'><never>" + many + "</never>"))
        .isInstanceOfSatisfying(
            IqReply.Refuse.class,
            refused ->
                assertThat(refused.error().condition())
                    .isEqualTo(ErrorCondition.RESOURCE_CONSTRAINT));
  }

  @Test
  void nothingCountsThatIsNotStored() {
    context.stores().fail(StoreException.Category.FULL);
    Assertions.assertThatThrownBy(() -> set("default='never'>")).isInstanceOf(StoreException.class);
    assertThat(archived(from("a@x"))).isTrue();
  }
}
