package im.zonda.module.presence;

import static im.zonda.module.testing.TestXml.presence;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.hook.Verdict;
import im.zonda.jid.Jid;
import im.zonda.module.roster.SubscriptionState;
import im.zonda.module.roster.Transition;
import im.zonda.module.testing.Expect;
import im.zonda.module.testing.TestSession;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Presence;
import im.zonda.store.RosterItem;
import im.zonda.store.StoreException;
import im.zonda.store.Subscription;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// RFC 6121, section 3.
class SubscriptionsTest {
  private static final String ROMEO = "romeo@example.org";
  private static final String JULIET = "juliet@example.net";

  private final PresenceFixture server = new PresenceFixture();

  private static String push(String item) {
    return "<iq type='set' id='{any}'><query xmlns='jabber:iq:roster'>" + item + "</query></iq>";
  }

  private static String fromJuliet(String type) {
    return "<presence type='%s' from='juliet@example.net' to='romeo@example.org'/>".formatted(type);
  }

  private static String toJuliet(String type) {
    return "<presence type='%s' from='romeo@example.org' to='juliet@example.net'/>".formatted(type);
  }

  private SubscriptionState state() {
    RosterItem item = server.item(ROMEO, JULIET);
    return item == null ? SubscriptionState.NONE : SubscriptionState.of(item);
  }

  private void romeoIs(SubscriptionState state) {
    server.holds(ROMEO, JULIET, state.subscription(), state.pendingOut(), state.pendingIn());
  }

  // --- 3.1 ---

  @Test
  void section3_1_2_aRequestGoesFromBareToBareAndIsPushed() {
    TestSession garden = server.connects("romeo@example.org/garden");

    Verdict verdict =
        server.context.sends(
            garden,
            presence("<presence type='subscribe' id='x' to='juliet@example.net/balcony'/>"));

    assertThat(verdict).isEqualTo(Verdict.handled());
    Expect.sent(
        server.context,
        "<presence type='subscribe' id='x' from='romeo@example.org' to='juliet@example.net'/>");
    Expect.receives(
        garden, push("<item jid='juliet@example.net' subscription='none' ask='subscribe'/>"));
    assertThat(state()).isEqualTo(SubscriptionState.NONE_PENDING_OUT);
  }

  @Test
  void section3_1_3_aRequestReachesTheAvailableSessionsAndWaitsForTheOthers() {
    TestSession garden = server.online("romeo@example.org/garden");
    TestSession later = server.connects("romeo@example.org/later");

    server.arrives(
        "<presence type='subscribe' from='juliet@example.net/balcony' to='romeo@example.org'>"
            + "<status>It is me</status></presence>");

    String request =
        "<presence type='subscribe' from='juliet@example.net' to='romeo@example.org'>"
            + "<status>It is me</status></presence>";
    Expect.receives(garden, request);
    Expect.receivesNothing(later);
    for (int i = 0; i < 2; i++) {
      server.context.home(Jid.of(ROMEO)).unload();
      server.context.sends(later, presence("<presence/>"));
      Expect.receives(
          later,
          "<presence from='romeo@example.org/later'/>",
          "<presence from='romeo@example.org/garden'/>",
          request);
      server.context.sends(later, presence("<presence type='unavailable'/>"));
      later.takeReceived();
    }
  }

  @Test
  void section3_1_3_aWaitingRequestIsNotInTheRoster() {
    TestSession garden = server.online("romeo@example.org/garden");
    server.arrives(fromJuliet("subscribe"));
    garden.takeReceived();

    server.sends(garden, "<iq type='get' id='r'><query xmlns='jabber:iq:roster'/></iq>");

    Expect.receives(garden, "<iq type='result' id='r'><query xmlns='jabber:iq:roster'/></iq>");
  }

  @Test
  void section3_1_5_anApprovalIsRoutedBeforePresenceAndPushed() {
    TestSession garden = server.online("romeo@example.org/garden");
    server.arrives(fromJuliet("subscribe"));
    garden.takeReceived();

    server.context.sends(garden, presence("<presence type='subscribed' to='juliet@example.net'/>"));

    Expect.sent(
        server.context,
        toJuliet("subscribed"),
        "<presence from='romeo@example.org/garden' to='juliet@example.net'/>");
    Expect.receives(garden, push("<item jid='juliet@example.net' subscription='from'/>"));
  }

  @Test
  void section3_1_6_anApprovalIsDeliveredToInterestedSessionsBeforeThePush() {
    romeoIs(SubscriptionState.NONE_PENDING_OUT);
    TestSession garden = server.connects("romeo@example.org/garden");
    TestSession other = server.context.bind("romeo@example.org/other");

    server.arrives(fromJuliet("subscribed"));

    Expect.receives(
        garden,
        fromJuliet("subscribed"),
        push("<item jid='juliet@example.net' subscription='to'/>"));
    Expect.receivesNothing(other);
  }

  @Test
  void section3_1_3_whoSeesTheUserAlreadyIsAnsweredAtOnce() {
    romeoIs(SubscriptionState.FROM);
    TestSession garden = server.online("romeo@example.org/garden");
    server.context.takeSent();

    server.arrives(fromJuliet("subscribe"));

    Expect.sent(
        server.context,
        toJuliet("subscribed"),
        "<presence from='romeo@example.org/garden' to='juliet@example.net'/>");
    Expect.receivesNothing(garden);
  }

  // --- 3.2, 3.3 ---

  @Test
  void section3_2_2_aCancelledContactSeesTheUserGo() {
    romeoIs(SubscriptionState.BOTH);
    TestSession garden = server.online("romeo@example.org/garden");
    server.context.takeSent();

    server.context.sends(
        garden, presence("<presence type='unsubscribed' to='juliet@example.net'/>"));

    Expect.sent(
        server.context,
        "<presence type='unavailable' from='romeo@example.org/garden' to='juliet@example.net'/>",
        toJuliet("unsubscribed"));
    Expect.receives(garden, push("<item jid='juliet@example.net' subscription='to'/>"));
  }

  @Test
  void section3_2_aDeniedRequestIsForgotten() {
    TestSession garden = server.online("romeo@example.org/garden");
    server.arrives(fromJuliet("subscribe"));
    garden.takeReceived();

    server.context.sends(
        garden, presence("<presence type='unsubscribed' to='juliet@example.net'/>"));

    Expect.sent(server.context, toJuliet("unsubscribed"));
    Expect.receivesNothing(garden);
    assertThat(server.item(ROMEO, JULIET)).isNull();
    assertThat(server.context.stores().rosters().load(Jid.of(ROMEO)).items()).isEmpty();
  }

  @Test
  void section3_3_3_whoUnsubscribesSeesTheUserGo() {
    romeoIs(SubscriptionState.BOTH);
    TestSession garden = server.online("romeo@example.org/garden");
    server.context.takeSent();

    server.arrives(fromJuliet("unsubscribe"));

    Expect.receives(
        garden,
        fromJuliet("unsubscribe"),
        push("<item jid='juliet@example.net' subscription='to'/>"));
    Expect.sent(
        server.context,
        "<presence type='unavailable' from='romeo@example.org/garden' to='juliet@example.net'/>");
  }

  // --- 3.4 ---

  @Test
  void section3_4_preApprovalIsAStreamFeature() {
    assertThat(server.context.host().streamFeatures())
        .contains(TestXml.element("<sub xmlns='urn:xmpp:features:pre-approval'/>"));
  }

  @Test
  void section3_4_2_anApprovalInAdvanceIsKeptPushedAndNotRouted() {
    TestSession garden = server.online("romeo@example.org/garden");

    server.context.sends(garden, presence("<presence type='subscribed' to='juliet@example.net'/>"));

    assertThat(server.context.takeSent()).isEmpty();
    Expect.receives(
        garden, push("<item jid='juliet@example.net' subscription='none' approved='true'/>"));

    server.arrives(fromJuliet("subscribe"));

    Expect.sent(
        server.context,
        toJuliet("subscribed"),
        "<presence from='romeo@example.org/garden' to='juliet@example.net'/>");
    Expect.receives(garden, push("<item jid='juliet@example.net' subscription='from'/>"));
    assertThat(Objects.requireNonNull(server.item(ROMEO, JULIET)).approved()).isFalse();
  }

  @Test
  void section3_4_anApprovalInAdvanceCanBeTakenBack() {
    TestSession garden = server.online("romeo@example.org/garden");
    server.sends(garden, "<presence type='subscribed' to='juliet@example.net'/>");
    garden.takeReceived();

    server.context.sends(
        garden, presence("<presence type='unsubscribed' to='juliet@example.net'/>"));

    assertThat(server.context.takeSent()).isEmpty();
    Expect.receives(garden, push("<item jid='juliet@example.net' subscription='none'/>"));
    server.arrives(fromJuliet("subscribe"));
    assertThat(server.context.takeSent()).isEmpty();
    assertThat(state()).isEqualTo(SubscriptionState.NONE_PENDING_IN);
  }

  // --- every state, end to end ---

  static Stream<Arguments> row66_cells() {
    return Stream.of(SubscriptionState.values())
        .flatMap(state ->
            Stream.of(
                    Presence.Type.SUBSCRIBE,
                    Presence.Type.SUBSCRIBED,
                    Presence.Type.UNSUBSCRIBE,
                    Presence.Type.UNSUBSCRIBED)
                .map(type -> Arguments.of(state, type)));
  }

  @ParameterizedTest
  @MethodSource("row66_cells")
  void row66_outboundReachesTheNextStateInMemoryAndInTheStore(
      SubscriptionState state, Presence.Type type) {
    romeoIs(state);
    TestSession garden = server.connects("romeo@example.org/garden");

    server.context.sends(
        garden, presence("<presence type='" + name(type) + "' to='juliet@example.net'/>"));

    boolean routed = state.outbound(type).effect() == Transition.Effect.PASS_ON;
    Expect.sent(server.context, routed ? new String[] {toJuliet(name(type))} : new String[0]);
    assertThat(state()).isEqualTo(state.outbound(type).next());
    server.context.home(Jid.of(ROMEO)).unload();
    assertThat(state()).isEqualTo(state.outbound(type).next());
  }

  @ParameterizedTest
  @MethodSource("row66_cells")
  void row66_inboundReachesTheNextStateInMemoryAndInTheStore(
      SubscriptionState state, Presence.Type type) {
    romeoIs(state);
    server.connects("romeo@example.org/garden");

    server.arrives(fromJuliet(name(type)));

    assertThat(state()).isEqualTo(state.inbound(type, false).next());
    server.context.home(Jid.of(ROMEO)).unload();
    assertThat(state()).isEqualTo(state.inbound(type, false).next());
  }

  private static String name(Presence.Type type) {
    return type.name().toLowerCase(Locale.ROOT);
  }

  // --- what must not happen ---

  @Test
  void row67_anAccountThatDoesNotExistSaysNothing() {
    for (String type : new String[] {"subscribe", "subscribed", "unsubscribe", "unsubscribed"}) {
      server.arrives(
          "<presence type='" + type + "' from='juliet@example.net' to='nobody@example.org'/>");
    }
    assertThat(server.context.takeSent()).isEmpty();
  }

  @Test
  void nobodySubscribesToThemselves() {
    TestSession garden = server.online("romeo@example.org/garden");
    server.sends(garden, "<presence type='subscribe' to='romeo@example.org'/>");
    server.sends(garden, "<presence type='subscribe' to='romeo@example.org/orchard'/>");
    server.sends(garden, "<presence type='subscribe'/>");
    Expect.receivesNothing(garden);
    assertThat(server.item(ROMEO, ROMEO)).isNull();
  }

  @Test
  void whenTheStoreFailsNothingIsRoutedAndNobodyIsTold() {
    romeoIs(SubscriptionState.NONE_PENDING_IN);
    TestSession garden = server.online("romeo@example.org/garden");
    server.context.takeSent();
    server.context.stores().fail(StoreException.Category.UNAVAILABLE);

    assertThatThrownBy(() ->
            server.context.sends(
                garden, presence("<presence type='subscribed' to='juliet@example.net'/>")))
        .isInstanceOf(StoreException.class);

    assertThat(server.context.takeSent()).isEmpty();
    Expect.receivesNothing(garden);
    assertThat(state()).isEqualTo(SubscriptionState.NONE_PENDING_IN);
  }

  @Test
  void aLargeRequestIsKeptWithoutItsContent() {
    TestSession garden = server.connects("romeo@example.org/garden");
    server.arrives(
        "<presence type='subscribe' from='juliet@example.net' to='romeo@example.org'><status>"
            + "x".repeat(PendingSubscriptions.REQUEST_BYTES)
            + "</status></presence>");

    server.sends(garden, "<presence/>");

    Expect.receives(garden, "<presence from='romeo@example.org/garden'/>", fromJuliet("subscribe"));
  }

  @Test
  void longRequestsLoseTheirContentWhenTheyAreMany() {
    int most = server.context.config().limits().rosterBytes() / 4;
    server.context.account(ROMEO);
    int length = PendingSubscriptions.REQUEST_BYTES / 2;
    int count = 2 * most / length;
    for (int i = 0; i < count; i++) {
      server.arrives(
          "<presence type='subscribe' from='a%d@example.net' to='romeo@example.org'><status>%s</status></presence>"
              .formatted(i, "x".repeat(length)));
    }
    List<Presence> kept =
        server.context.stores().rosters().load(Jid.of(ROMEO)).items().stream()
            .map(RosterItem::request)
            .filter(Objects::nonNull)
            .toList();
    assertThat(kept).hasSize(count);
    assertThat(kept.stream().filter(each -> !each.payloadNames().isEmpty()).count())
        .isBetween(most / (length + 200L), (long) most / length);
  }

  @Test
  void requestsOfStrangersHaveALimit() {
    int limit = server.context.config().limits().rosterItems();
    server.context.account(ROMEO);
    for (int i = 0; i <= limit; i++) {
      server.arrives(
          "<presence type='subscribe' from='a" + i + "@example.net' to='romeo@example.org'/>");
    }
    assertThat(server.context.stores().rosters().load(Jid.of(ROMEO)).items()).hasSize(limit);
    assertThat(server.item(ROMEO, "a" + limit + "@example.net")).isNull();
  }

  @Test
  void aFullRosterTakesNoMoreContactsByWayOfSubscriptions() {
    int limit = server.context.config().limits().rosterItems();
    for (int i = 0; i < limit; i++) {
      server.holds(ROMEO, "a" + i + "@example.net", Subscription.NONE);
    }
    TestSession garden = server.connects("romeo@example.org/garden");

    for (String type : new String[] {"subscribe", "subscribed"}) {
      assertThat(
              server.context.sends(
                  garden, presence("<presence type='" + type + "' to='juliet@example.net'/>")))
          .isEqualTo(Verdict.refuse(ErrorCondition.RESOURCE_CONSTRAINT));
    }

    assertThat(server.context.takeSent()).isEmpty();
    assertThat(server.item(ROMEO, JULIET)).isNull();
  }

  // --- the whole way ---

  @Test
  void romeoAndJulietBecomeFriends() {
    TestSession garden = server.online("romeo@example.org/garden");
    TestSession balcony = server.online("juliet@example.org/balcony");

    server.sends(garden, "<presence type='subscribe' to='juliet@example.org'/>");
    Expect.receives(
        garden, push("<item jid='juliet@example.org' subscription='none' ask='subscribe'/>"));
    Expect.receives(
        balcony, "<presence type='subscribe' from='romeo@example.org' to='juliet@example.org'/>");

    server.sends(balcony, "<presence type='subscribed' to='romeo@example.org'/>");
    Expect.receives(balcony, push("<item jid='romeo@example.org' subscription='from'/>"));
    Expect.receives(
        garden,
        "<presence type='subscribed' from='juliet@example.org' to='romeo@example.org'/>",
        push("<item jid='juliet@example.org' subscription='to'/>"),
        "<presence from='juliet@example.org/balcony' to='romeo@example.org'/>");

    server.sends(balcony, "<presence type='subscribe' to='romeo@example.org'/>");
    server.sends(garden, "<presence type='subscribed' to='juliet@example.org'/>");
    assertThat(Objects.requireNonNull(server.item(ROMEO, "juliet@example.org")).subscription())
        .isEqualTo(Subscription.BOTH);
    assertThat(Objects.requireNonNull(server.item("juliet@example.org", ROMEO)).subscription())
        .isEqualTo(Subscription.BOTH);
  }

  // --- contacts that the host adds ---

  private static final Jid NURSE = Jid.of("nurse@example.org");

  private boolean add(String owner, Jid contact, String group, boolean isKnown) {
    return server.presence.addContact(server.context.home(Jid.of(owner)), contact, group, isKnown);
  }

  @Test
  void aContactOfAGroupIsPushedAndSeesNoPresenceUntilBothKnowEachOther() {
    TestSession garden = server.online("romeo@example.org/garden");
    TestSession house = server.online("nurse@example.org/house");
    assertThat(add(ROMEO, NURSE, "House", false)).isTrue();
    Expect.receives(
        garden,
        push("<item jid='nurse@example.org' subscription='both'><group>House</group></item>"));
    assertThat(server.context.sent()).isEmpty();
    assertThat(add("nurse@example.org", Jid.of(ROMEO), "House", true)).isTrue();
    server.context.deliver();
    Expect.receives(
        house,
        push("<item jid='romeo@example.org' subscription='both'><group>House</group></item>"),
        "<presence from='romeo@example.org/garden' to='nurse@example.org'/>");
    Expect.receives(garden, "<presence from='nurse@example.org/house' to='romeo@example.org'/>");
  }

  @Test
  void aContactIsAddedOnceAndKeepsItsOtherGroups() {
    TestSession garden = server.online("romeo@example.org/garden");
    add(ROMEO, NURSE, "House", true);
    add(ROMEO, NURSE, "Friends", true);
    garden.takeReceived();
    server.context.takeSent();
    assertThat(add(ROMEO, NURSE, "House", true)).isTrue();
    assertThat(garden.takeReceived()).isEmpty();
    assertThat(server.context.sent()).isEmpty();
    assertThat(Objects.requireNonNull(server.item(ROMEO, "nurse@example.org")).groups())
        .containsExactly("House", "Friends");
  }

  @Test
  void nobodyIsAddedToAFullRoster() {
    server.context.account(ROMEO);
    int most = server.context.config().limits().rosterItems();
    for (int i = 0; i < most; i++) {
      server.holds(ROMEO, "c" + i + "@example.net", Subscription.NONE);
    }
    assertThat(add(ROMEO, NURSE, "House", false)).isFalse();
    assertThat(server.item(ROMEO, "nurse@example.org")).isNull();
    assertThat(add(ROMEO, Jid.of("c1@example.net"), "House", false)).isTrue();
  }
}
