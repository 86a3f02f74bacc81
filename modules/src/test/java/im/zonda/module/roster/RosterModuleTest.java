package im.zonda.module.roster;

import static im.zonda.module.testing.TestXml.iq;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.config.ServerConfig;
import im.zonda.config.copy.RecordCopy;
import im.zonda.config.limits.HostLimits;
import im.zonda.config.limits.Limits;
import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.testing.Expect;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestHome;
import im.zonda.module.testing.TestSession;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.store.RosterItem;
import im.zonda.store.StoreException;
import im.zonda.store.Subscription;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// RFC 6121, section 2.
class RosterModuleTest {
  private static final String GET = "<iq type='get' id='g'><query xmlns='jabber:iq:roster'/></iq>";

  private final TestContext context = new TestContext();
  private final RosterModule module = new RosterModule();
  private final TestSession garden;
  private final TestHome romeo;

  RosterModuleTest() {
    context.install(module);
    garden = context.bind("romeo@example.org/garden");
    romeo = context.home(garden.jid());
  }

  private static Iq set(String items) {
    return iq("<iq type='set' id='s'><query xmlns='jabber:iq:roster'>" + items + "</query></iq>");
  }

  private static void refused(IqReply reply, ErrorCondition condition) {
    assertThat(reply)
        .isInstanceOfSatisfying(
            IqReply.Refuse.class,
            refuse -> assertThat(refuse.error().condition()).isEqualTo(condition));
  }

  private void holds(String jid, Subscription subscription, boolean ask) {
    module
        .rosters()
        .put(
            romeo,
            new RosterItem(Jid.of(jid), null, subscription, ask, false, List.of(), null, true));
  }

  private @Nullable RosterItem stored(String jid) {
    return context.stores().rosters().load(romeo.jid()).items().stream()
        .filter(item -> item.jid().equals(Jid.of(jid)))
        .findFirst()
        .orElse(null);
  }

  @Test
  void section2_1_3_anEmptyRosterIsAnEmptyQuery() {
    Expect.result(context.ask(garden, iq(GET)), "<query xmlns='jabber:iq:roster'/>");
  }

  @Test
  void section2_1_3_theRosterHoldsTheListedContactsAndNoRequests() {
    holds("juliet@example.org", Subscription.BOTH, false);
    holds("benvolio@example.org", Subscription.NONE, true);
    module
        .rosters()
        .put(
            romeo,
            new RosterItem(
                Jid.of("paris@example.org"),
                null,
                Subscription.NONE,
                false,
                false,
                List.of(),
                TestXml.presence("<presence type='subscribe' from='paris@example.org'/>"),
                false));

    Expect.result(
        context.ask(garden, iq(GET)),
        "<query xmlns='jabber:iq:roster'>"
            + "<item jid='juliet@example.org' subscription='both'/>"
            + "<item jid='benvolio@example.org' subscription='none' ask='subscribe'/></query>");
  }

  @Test
  void section2_3_1_addingAContactIsStoredAndPushedToInterestedSessionsOnly() {
    TestSession orchard = context.bind("romeo@example.org/orchard");
    context.ask(garden, iq(GET));

    IqReply reply =
        context.ask(
            garden,
            set(
                "<item jid='nurse@example.org' name='Nurse'><group>Servants</group>"
                    + "<group>Friends</group></item>"));

    assertThat(reply).isEqualTo(IqReply.empty());
    RosterItem kept = Objects.requireNonNull(stored("nurse@example.org"));
    assertThat(kept.name()).isEqualTo("Nurse");
    assertThat(kept.groups()).containsExactly("Servants", "Friends");
    assertThat(kept.subscription()).isEqualTo(Subscription.NONE);
    Expect.receives(
        garden,
        "<iq type='set' id='{any}' to='romeo@example.org/garden'><query xmlns='jabber:iq:roster'>"
            + "<item jid='nurse@example.org' name='Nurse' subscription='none'>"
            + "<group>Servants</group><group>Friends</group></item></query></iq>");
    Expect.receivesNothing(orchard);
  }

  @Test
  void row65_pushesComeFromTheAccountItselfWithFreshIds() {
    context.ask(garden, iq(GET));

    context.ask(garden, set("<item jid='nurse@example.org'/>"));
    context.ask(garden, set("<item jid='nurse@example.org' name='N'/>"));

    List<Iq> pushes = garden.takeReceived().stream().map(stanza -> (Iq) stanza).toList();
    assertThat(pushes).hasSize(2).allSatisfy(push -> assertThat(push.from()).isNull());
    assertThat(pushes.get(0).id()).isNotEqualTo(pushes.get(1).id());
  }

  @Test
  void row65_nobodyReadsOrWritesTheRosterOfAnotherAccount() {
    context.bind("juliet@example.org/balcony");
    for (String to : List.of("juliet@example.org", "nobody@example.org")) {
      Jid other = Jid.of(to);
      refused(context.ask(garden, iq(GET).withAddresses(null, other)), ErrorCondition.FORBIDDEN);
      refused(
          context.ask(garden, set("<item jid='paris@example.org'/>").withAddresses(null, other)),
          ErrorCondition.FORBIDDEN);
      assertThat(context.stores().rosters().load(other).items()).isEmpty();
    }
  }

  @Test
  void row65_aForgedPushReachesNobody() {
    TestSession balcony = context.bind("juliet@example.org/balcony");

    context.fromClient(
        garden,
        set("<item jid='paris@example.org'/>")
            .withAddresses(null, Jid.of("juliet@example.org/balcony")));

    Expect.receivesNothing(balcony);
    Expect.receives(
        garden,
        "<iq type='error' id='s' from='juliet@example.org/balcony'><error type='cancel'>"
            + "<service-unavailable xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></iq>");
  }

  @Test
  void namingAStrangerKeepsTheRequestThatWaits() {
    String request = "<presence type='subscribe' from='paris@example.org'/>";
    Jid paris = Jid.of("paris@example.org");
    module
        .rosters()
        .put(
            romeo,
            new RosterItem(
                paris,
                null,
                Subscription.NONE,
                false,
                false,
                List.of(),
                TestXml.presence(request),
                false));

    context.ask(garden, set("<item jid='paris@example.org' name='Paris'/>"));

    RosterItem kept = Objects.requireNonNull(stored("paris@example.org"));
    assertThat(kept.listed()).isTrue();
    assertThat(kept.request()).isNotNull();
  }

  @Test
  void section2_4_updatingKeepsTheSubscriptionWhateverTheClientSaysOfIt() {
    holds("juliet@example.org", Subscription.TO, false);

    context.ask(
        garden,
        set("<item jid='juliet@example.org' name='J' subscription='both' ask='subscribe'/>"));

    RosterItem kept = Objects.requireNonNull(stored("juliet@example.org"));
    assertThat(kept.subscription()).isEqualTo(Subscription.TO);
    assertThat(kept.ask()).isFalse();
    assertThat(kept.name()).isEqualTo("J");
  }

  @Test
  void section2_4_anUpdateReplacesNameAndGroups() {
    context.ask(garden, set("<item jid='juliet@example.org' name='J'><group>A</group></item>"));

    context.ask(garden, set("<item jid='juliet@example.org' name=''/>"));

    RosterItem kept = Objects.requireNonNull(stored("juliet@example.org"));
    assertThat(kept.name()).isNull();
    assertThat(kept.groups()).isEmpty();
  }

  @Test
  void anUpdateThatChangesNothingIsNeitherWrittenNorPushed() {
    context.ask(garden, iq(GET));
    context.ask(garden, set("<item jid='juliet@example.org' name='J'/>"));
    garden.takeReceived();
    int writes = context.stores().rosterWrites();

    assertThat(context.ask(garden, set("<item jid='juliet@example.org' name='J'/>")))
        .isEqualTo(IqReply.empty());

    assertThat(context.stores().rosterWrites()).isEqualTo(writes);
    Expect.receivesNothing(garden);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          BAD_REQUEST    | <item jid='a@example.org'/><item jid='b@example.org'/>
          BAD_REQUEST    | <other xmlns='urn:other'/>
          BAD_REQUEST    | <item name='no jid'/>
          BAD_REQUEST    | <item jid='@@'/>
          BAD_REQUEST    | <item jid='a@example.org'><group>A</group><group>A</group></item>
          NOT_ACCEPTABLE | <item jid='a@example.org'><group/></item>
          NOT_ALLOWED    | <item jid='romeo@example.org'/>
          ITEM_NOT_FOUND | <item jid='a@example.org' subscription='remove'/>
          """)
  void section2_3_3_whatIsNotValidIsRefusedAndChangesNothing(
      ErrorCondition condition, String items) {
    refused(context.ask(garden, set(items)), condition);
    assertThat(context.stores().rosters().load(romeo.jid()).items()).isEmpty();
  }

  @Test
  void section2_3_3_aSetWithoutItemIsRefused() {
    refused(context.ask(garden, set("")), ErrorCondition.BAD_REQUEST);
  }

  @Test
  void section2_3_3_longNamesAndGroupsAreRefusedAndTheLongestAllowedAreNot() {
    String longest = "x".repeat(RosterXml.NAME_BYTES);
    String item = "<item jid='a@example.org' name='%s'><group>%s</group></item>";
    refused(
        context.ask(garden, set(item.formatted(longest + "x", "g"))),
        ErrorCondition.NOT_ACCEPTABLE);
    refused(
        context.ask(garden, set(item.formatted("n", longest + "x"))),
        ErrorCondition.NOT_ACCEPTABLE);
    refused(
        context.ask(garden, set(item.formatted("ü".repeat(600), "g"))),
        ErrorCondition.NOT_ACCEPTABLE);
    assertThat(context.ask(garden, set(item.formatted(longest, longest))))
        .isEqualTo(IqReply.empty());
  }

  @Test
  void groupsAndItemsHaveALimit() {
    TestContext small = new TestContext();
    small.config(limited(2, 1)).install(new RosterModule());
    TestSession session = small.bind("romeo@example.org/garden");

    refused(
        small.ask(
            session, set("<item jid='a@example.org'><group>A</group><group>B</group></item>")),
        ErrorCondition.NOT_ACCEPTABLE);
    small.ask(session, set("<item jid='a@example.org'/>"));
    small.ask(session, set("<item jid='b@example.org'/>"));
    refused(
        small.ask(session, set("<item jid='c@example.org'/>")), ErrorCondition.RESOURCE_CONSTRAINT);
    assertThat(small.ask(session, set("<item jid='b@example.org' name='still'/>")))
        .isEqualTo(IqReply.empty());
  }

  @Test
  void namesAndGroupsOfTheWholeRosterHaveALimit() {
    int most = context.config().limits().rosterBytes();
    String item = "<item jid='%s@example.org' name='%s'/>";
    String name = "x".repeat(RosterXml.NAME_BYTES);
    int taken = 0;
    while (context.ask(garden, set(item.formatted("c" + taken, name))).equals(IqReply.empty())) {
      taken++;
    }
    assertThat(taken).isBetween(most / (name.length() + 20), most / name.length());
    refused(
        context.ask(garden, set(item.formatted("more", name))), ErrorCondition.RESOURCE_CONSTRAINT);

    // What makes it smaller is taken, and makes room.
    assertThat(context.ask(garden, set(item.formatted("c0", "short")))).isEqualTo(IqReply.empty());
    assertThat(context.ask(garden, set("<item jid='c1@example.org' subscription='remove'/>")))
        .isEqualTo(IqReply.empty());
    assertThat(context.ask(garden, set(item.formatted("more", name)))).isEqualTo(IqReply.empty());
  }

  private static ServerConfig limited(int items, int groups) {
    ServerConfig all = ServerConfig.defaults(List.of("example.org"), Path.of("data"));
    HostLimits own = all.limits().ofHost();
    HostLimits changed =
        RecordCopy.with(RecordCopy.with(own, "rosterItems", items), "rosterGroups", groups);
    return withLimits(all, all.limits().withHost(changed));
  }

  private static ServerConfig withLimits(ServerConfig all, Limits limits) {
    return RecordCopy.with(all, "limits", limits);
  }

  @Test
  void section2_5_removingIsStoredAndPushed() {
    context.ask(garden, iq(GET));
    context.ask(garden, set("<item jid='nurse@example.org'/>"));
    garden.takeReceived();

    IqReply reply =
        context.ask(garden, set("<item jid='nurse@example.org' subscription='remove'/>"));

    assertThat(reply).isEqualTo(IqReply.empty());
    assertThat(stored("nurse@example.org")).isNull();
    Expect.receives(
        garden,
        "<iq type='set' id='{any}'><query xmlns='jabber:iq:roster'>"
            + "<item jid='nurse@example.org' subscription='remove'/></query></iq>");
    assertThat(context.takeSent()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "NONE, false, ''",
    "NONE, true, unsubscribe",
    "TO, false, unsubscribe",
    "FROM, false, unsubscribed",
    "FROM, true, unsubscribe unsubscribed",
    "BOTH, false, unsubscribe unsubscribed",
  })
  void section2_5_2_removingEndsTheSubscriptionsBothWays(
      Subscription subscription, boolean ask, String types) {
    holds("juliet@example.org", subscription, ask);

    context.ask(garden, set("<item jid='juliet@example.org' subscription='remove'/>"));

    Expect.sent(
        context,
        types.isEmpty()
            ? new String[0]
            : List.of(types.split(" ")).stream()
                .map(type ->
                    "<presence type='%s' from='romeo@example.org' to='juliet@example.org'/>"
                        .formatted(type))
                .toArray(String[]::new));
  }

  @Test
  void row66_removingHidesTheAvailableSessionsFromWhoSawThem() {
    garden.presence(TestXml.presence("<presence from='romeo@example.org/garden'/>"));
    context.bind("romeo@example.org/orchard");
    holds("juliet@example.org", Subscription.FROM, false);

    context.ask(garden, set("<item jid='juliet@example.org' subscription='remove'/>"));

    Expect.sent(
        context,
        "<presence type='unavailable' from='romeo@example.org/garden' to='juliet@example.org'/>",
        "<presence type='unsubscribed' from='romeo@example.org' to='juliet@example.org'/>");
  }

  @Test
  void aMereRequestCannotBeRemovedAsAContact() {
    module
        .rosters()
        .put(
            romeo,
            new RosterItem(
                Jid.of("paris@example.org"),
                null,
                Subscription.NONE,
                false,
                false,
                List.of(),
                TestXml.presence("<presence type='subscribe' from='paris@example.org'/>"),
                false));

    refused(
        context.ask(garden, set("<item jid='paris@example.org' subscription='remove'/>")),
        ErrorCondition.ITEM_NOT_FOUND);
    assertThat(stored("paris@example.org")).isNotNull();
  }

  @Test
  void whenTheStoreFailsNothingHasChangedAndNobodyIsTold() {
    context.ask(garden, iq(GET));
    context.ask(garden, set("<item jid='nurse@example.org'/>"));
    garden.takeReceived();
    context.stores().fail(StoreException.Category.FULL);

    assertThatThrownBy(() -> context.ask(garden, set("<item jid='nurse@example.org' name='N'/>")))
        .isInstanceOf(StoreException.class);
    assertThatThrownBy(
            () -> context.ask(garden, set("<item jid='nurse@example.org' subscription='remove'/>")))
        .isInstanceOf(StoreException.class);

    Expect.receivesNothing(garden);
    Expect.result(
        context.ask(garden, iq(GET)),
        "<query xmlns='jabber:iq:roster'>"
            + "<item jid='nurse@example.org' subscription='none'/></query>");
  }

  @Test
  void theRosterIsTheSameAfterTheHomeWasUnloaded() {
    context.ask(garden, set("<item jid='nurse@example.org' name='N'><group>G</group></item>"));
    Roster before = module.rosters().of(romeo);

    romeo.unload();

    Roster after = module.rosters().of(romeo);
    assertThat(after).isNotSameAs(before);
    assertThat(after.version()).isEqualTo(before.version());
    assertThat(after.items()).containsExactlyElementsOf(before.items());
    assertThat(after.listed()).isEqualTo(1);
    assertThat(after.unlisted()).isZero();
  }

  @Test
  void aContactIsKeptByItsBareAddress() {
    context.ask(garden, set("<item jid='nurse@example.org/chamber'/>"));
    assertThat(stored("nurse@example.org")).isNotNull();
  }
}
