package im.zonda.module.invitations;

import static im.zonda.module.invitations.InvitationStage.condition;
import static im.zonda.module.invitations.InvitationStage.result;
import static im.zonda.module.testing.Expect.failedCommand;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.config.Services.Invitations;
import im.zonda.config.Services.Invitations.Inviters;
import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.invitations.InvitationModule.Issued;
import im.zonda.module.invitations.InvitationModule.Offer;
import im.zonda.module.testing.TestSession;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Presence;
import im.zonda.store.KeyValueStore;
import im.zonda.store.RosterItem;
import im.zonda.store.Subscription;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class InvitationModuleTest {
  private static final Jid HOST = Jid.of("example.org");
  private static final Jid ROMEO = Jid.of("romeo@example.org");
  private static final Jid JULIET = Jid.of("juliet@capulet.lit");
  private static final Duration WEEK = Duration.ofDays(7);

  private final InvitationStage stage =
      new InvitationStage(new Invitations(Inviters.EVERYONE, Inviters.ADMINS, WEEK, null));
  private final TestSession romeo = stage.context.bind("romeo@example.org/orchard");
  private final TestSession bard = stage.context.bind("bard@example.org/globe");

  // ---- commands

  @Test
  void aUserGetsALinkAtOnce() {
    Map<String, String> result = result(stage.run(romeo, "invite", "", ""));
    assertThat(result).containsOnlyKeys("FORM_TYPE", "uri", "landing-url", "expire");
    assertThat(result.get("landing-url"))
        .isEqualTo("https://example.org:5281/invite/" + InvitationStage.token(result));
    assertThat(result.get("FORM_TYPE")).isEqualTo("urn:xmpp:invite#invitation");
    assertThat(result.get("uri"))
        .matches("xmpp:romeo@example\\.org\\?roster;preauth=[0-9a-f]{40}726f6d656f");
    assertThat(result.get("expire")).isEqualTo("2026-11-28T12:00:00Z");
  }

  @Test
  void theLinkOfWhoMayCreateAccountsIsForANewAccountToo() {
    assertThat(result(stage.run(bard, "invite", "", "")).get("uri"))
        .matches("xmpp:bard@example\\.org\\?roster;preauth=[0-9a-f]{48};ibr=y");
  }

  @Test
  void thePageIsNamedIfThereIsOne() {
    InvitationStage other =
        new InvitationStage(
            new Invitations(
                Inviters.EVERYONE, Inviters.NOBODY, WEEK, "https://example.org/invite/"));
    TestSession user = other.context.bind("romeo@example.org/orchard");
    Map<String, String> result = result(other.run(user, "invite", "", ""));
    assertThat(result.get("landing-url"))
        .isEqualTo("https://example.org/invite/#" + InvitationStage.token(result));
  }

  @ParameterizedTest
  @EnumSource(Inviters.class)
  void whoMayInviteIsConfigured(Inviters inviters) {
    InvitationStage other = new InvitationStage(new Invitations(inviters, inviters, WEEK, null));
    TestSession user = other.context.bind("romeo@example.org/orchard");
    TestSession admin = other.context.bind("bard@example.org/globe");
    TestSession stranger = other.context.bind("juliet@capulet.lit/balcony");
    for (String command : List.of("invite", "create-account")) {
      assertThat(other.run(user, command, "", "") instanceof IqReply.Result)
          .isEqualTo(inviters == Inviters.EVERYONE);
      assertThat(other.run(admin, command, "", "") instanceof IqReply.Result)
          .isEqualTo(inviters != Inviters.NOBODY);
      assertThat(condition(other.run(stranger, command, "", "")))
          .isEqualTo(ErrorCondition.FORBIDDEN);
    }
  }

  @Test
  void anAccountHasSoManyInvitationsUntilTheyExpire() {
    stage.token(romeo);
    stage.context.clock().advance(Duration.ofDays(1));
    stage.token(romeo);
    assertThat(failedCommand(stage.run(romeo, "invite", "", "")))
        .startsWith("Too many invitations");
    assertThat(result(stage.run(bard, "invite", "", ""))).containsKey("uri");
    stage.context.clock().advance(Duration.ofDays(6));
    stage.token(romeo);
    assertThat(invitations().all(ROMEO)).hasSize(2);
  }

  @Test
  void theTokenIsNotStored() {
    String token = stage.token(romeo);
    Map<String, byte[]> stored = invitations().all(ROMEO);
    assertThat(stored).hasSize(1);
    stored.forEach((key, value) ->
        assertThat(key + new String(value, StandardCharsets.UTF_8)).doesNotContain(token));
  }

  @Test
  void anAdministratorInvitesSomeoneWithAUsername() {
    String link = "xmpp:juliet@example\\.org\\?register;preauth=[0-9a-f]{48}";
    assertThat(result(stage.inviteAccount(bard, field("username", "Juliet"))).get("uri"))
        .matches(link);
    assertThat(failedCommand(stage.inviteAccount(bard, field("username", "juliet"))))
        .isEqualTo("juliet is reserved by another invitation.");
    stage.context.clock().advance(WEEK);
    assertThat(result(stage.inviteAccount(bard, field("username", "juliet"))).get("uri"))
        .matches(link);
  }

  @Test
  void withoutAUsernameTheUserChoosesOne() {
    assertThat(result(stage.inviteAccount(bard, "")).get("uri"))
        .matches("xmpp:example\\.org\\?register;preauth=[0-9a-f]{48}");
  }

  @ParameterizedTest
  @CsvSource({
    "romeo, exists already",
    "a b, not a valid username",
    "juliet@example.org, not a valid username"
  })
  void aUsernameMustBeFreeAndValid(String username, String text) {
    assertThat(failedCommand(stage.inviteAccount(bard, field("username", username))))
        .contains(text);
  }

  @Test
  void aLinkIsAValidUri() {
    TestSession user = stage.context.bind("100%é@example.org/x");
    assertThat(result(stage.run(user, "invite", "", "")).get("uri"))
        .startsWith("xmpp:100%25%C3%A9@example.org?roster;preauth=");
  }

  @Test
  void invitationsEndWithTheAccount() {
    String token = stage.token(romeo);
    stage.context.stores().accounts().remove(ROMEO);
    stage.context.end(romeo);
    TestSession next = stage.context.bind("romeo@example.org/orchard");
    subscribe(token);
    assertThat(next.jid().bare()).isEqualTo(ROMEO);
    assertThat(item()).extracting(RosterItem::subscription).isEqualTo(Subscription.NONE);
  }

  // ---- subscription requests

  @Test
  void aRequestWithTheTokenIsApprovedAndReturned() {
    subscribe(stage.token(romeo));
    assertThat(item())
        .isEqualTo(
            new RosterItem(JULIET, null, Subscription.FROM, true, false, List.of(), null, true));
    assertThat(stage.context.takeSent())
        .extracting(stanza -> ((Presence) stanza).type() + " " + stanza.from() + " " + stanza.to())
        .containsExactly(
            "SUBSCRIBED romeo@example.org juliet@capulet.lit",
            "SUBSCRIBE romeo@example.org juliet@capulet.lit");
    assertThat(invitations().all(ROMEO)).isEmpty();
    stage.context.arrives(presence("subscribed", JULIET, ""));
    assertThat(item()).extracting(RosterItem::subscription).isEqualTo(Subscription.BOTH);
  }

  @Test
  void aTokenIsForOneContact() {
    String token = stage.token(romeo);
    subscribe(token);
    stage.context.takeSent();
    stage.context.arrives(presence("subscribe", Jid.of("nurse@capulet.lit"), preauth(token)));
    assertThat(stage.context.takeSent()).isEmpty();
    assertThat(item(Jid.of("nurse@capulet.lit")))
        .satisfies(item -> assertThat(Objects.requireNonNull(item).listed()).isFalse());
  }

  @Test
  void aRequestWithATokenThatIsNotValidIsLikeAnyOther() {
    romeo.presence(TestXml.presence("<presence/>"));
    String expired = stage.token(romeo);
    stage.context.clock().advance(WEEK);
    String others = stage.token(bard);
    String account = stage.accountToken(bard, "");
    String unknown = "0".repeat(InvitationToken.RANDOM) + "726f6d656f";
    for (String token : List.of(expired, others, account, unknown, "", "zz", "0".repeat(4_000))) {
      Jid sender = Jid.of("user" + token.hashCode() + "@capulet.lit");
      stage.context.arrives(presence("subscribe", sender, preauth(token)));
      assertThat(Objects.requireNonNull(item(sender)).request()).as(token).isNotNull();
    }
    assertThat(stage.context.takeSent()).isEmpty();
    assertThat(romeo.received()).isNotEmpty();
    assertThat(invitations().all(Jid.of("bard@example.org"))).hasSize(2);
  }

  @Test
  void aRequestThatWaitsIsApprovedByALaterToken() {
    stage.context.arrives(presence("subscribe", JULIET, ""));
    subscribe(stage.token(romeo));
    assertThat(item())
        .isEqualTo(
            new RosterItem(JULIET, null, Subscription.FROM, true, false, List.of(), null, true));
  }

  @Test
  void aContactThatIsSubscribedToIsNotAskedAgain() {
    put(Subscription.TO);
    subscribe(stage.token(romeo));
    assertThat(item()).extracting(RosterItem::subscription).isEqualTo(Subscription.BOTH);
    assertThat(stage.context.takeSent())
        .extracting(stanza -> ((Presence) stanza).type())
        .containsExactly(Presence.Type.SUBSCRIBED);
  }

  @Test
  void aTokenIsNotUsedWhereItChangesNothing() {
    put(Subscription.BOTH);
    subscribe(stage.token(romeo));
    assertThat(invitations().all(ROMEO)).hasSize(1);
  }

  @Test
  void whoseRosterIsFullDecidesAlone() {
    for (int i = 0; i < 10; i++) {
      stage
          .context
          .stores()
          .rosters()
          .put(
              ROMEO,
              new RosterItem(
                  Jid.of("c" + i + "@x.example"),
                  null,
                  Subscription.NONE,
                  false,
                  false,
                  List.of(),
                  null,
                  true));
    }
    subscribe(stage.token(romeo));
    assertThat(item()).extracting(RosterItem::listed).isEqualTo(false);
    assertThat(invitations().all(ROMEO)).hasSize(1);
  }

  // ---- the console

  @Test
  void theOperatorMakesLinksOfTheHost() {
    Issued juliets = invite(offer("juliet"));
    String token = juliets.uri().substring(juliets.uri().indexOf('=') + 1);
    assertThat(juliets.uri()).matches("xmpp:juliet@example\\.org\\?register;preauth=[0-9a-f]{40}");
    assertThat(juliets.page()).isEqualTo("https://example.org:5281/invite/" + token);
    assertThat(juliets.invitation().expiry()).isEqualTo(stage.context.clock().instant().plus(WEEK));
    assertThat(invite(offer(null)).uri()).startsWith("xmpp:example.org?register;preauth=");
    assertThatThrownBy(() -> invite(offer("juliet"))).hasMessageContaining("juliet is reserved");
    InvitationStage off = new InvitationStage(Invitations.DEFAULTS);
    assertThatThrownBy(() ->
            InvitationModule.invite(
                invitations(),
                off.context.config(),
                HOST,
                offer(null),
                off.context.clock(),
                off.context.ids()))
        .hasMessageContaining("services.invitations.accounts");
  }

  @Test
  void anInvitationOfTheOperatorMayBeOfAnAccountAndForACircle() {
    Duration day = Duration.ofDays(1);
    Issued issued = invite(new Offer(null, ROMEO, "Our Town", day));
    Invitation found = find(issued.uri());
    assertThat(found.owner()).isEqualTo(ROMEO);
    assertThat(found.terms().subscribes()).isTrue();
    assertThat(found.circle()).isEqualTo("Our Town");
    assertThat(found.expiry()).isEqualTo(stage.context.clock().instant().plus(day));
    assertThat(invite(new Offer("juliet", null, null, null)).invitation().terms().subscribes())
        .isFalse();
    assertThat(invite(new Offer(null, ROMEO, null, null)).invitation().circle()).isNull();
    assertThatThrownBy(() -> invite(new Offer(null, ROMEO, null, null)))
        .hasMessageContaining("too many invitations of romeo@example.org");
  }

  @Test
  void whatWasStoredBeforeThereWereCirclesIsRead() {
    Issued issued = invite(offer("juliet"));
    byte[] stored = issued.invitation().stored();
    assertThat(new String(stored, StandardCharsets.UTF_8)).endsWith(" juliet");
    assertThat(Invitation.of(issued.invitation().key(), stored)).isEqualTo(issued.invitation());
  }

  @Test
  void invitationsAreListedUntilTheyAreUsedOrExpire() {
    Issued first = invite(new Offer("juliet", null, null, Duration.ofDays(2)));
    Issued second = invite(new Offer(null, null, null, Duration.ofDays(1)));
    Issued romeos = invite(new Offer(null, ROMEO, null, null));
    assertThat(list(HOST)).containsExactly(second.invitation(), first.invitation());
    assertThat(list(ROMEO)).containsExactly(romeos.invitation());
    assertThat(first.invitation().id()).matches("[0-9a-f]{12}").isNotEqualTo(romeos.page());
    stage.context.clock().advance(Duration.ofDays(1));
    assertThat(list(HOST)).containsExactly(first.invitation());
  }

  @Test
  void anInvitationIsRevokedByItsTokenLinkOrPage() {
    Issued issued = invite(offer("juliet"));
    String token = issued.uri().substring(issued.uri().indexOf("preauth=") + 8);
    for (String name : List.of(token, issued.uri(), String.valueOf(issued.page()))) {
      assertThat(find(name)).isEqualTo(issued.invitation());
    }
    assertThat(revoke(issued.invitation())).isTrue();
    assertThat(revoke(issued.invitation())).isFalse();
    assertThat(InvitationModule.find(invitations(), HOST, token, stage.context.clock())).isNull();
    assertThat(invite(offer("juliet")).uri()).contains("juliet"); // free again
  }

  @Test
  void whoHasRegisteredJoinsTheCircleOfTheInvitation() {
    List<String> joined = new ArrayList<>();
    stage.invitations.onJoin((circle, account) -> joined.add(circle + " " + account));
    stage.invitations.registered(
        invite(new Offer(null, null, "Our Town", null)).invitation(), JULIET);
    stage.invitations.registered(invite(offer(null)).invitation(), JULIET);
    assertThat(joined).containsExactly("Our Town juliet@capulet.lit");
  }

  private static Offer offer(@Nullable String username) {
    return new Offer(username, null, null, null);
  }

  private Issued invite(Offer offer) {
    return InvitationModule.invite(
        invitations(),
        stage.context.config(),
        HOST,
        offer,
        stage.context.clock(),
        stage.context.ids());
  }

  private Invitation find(String text) {
    return Objects.requireNonNull(
        InvitationModule.find(invitations(), HOST, text, stage.context.clock()));
  }

  private List<Invitation> list(Jid owner) {
    return InvitationModule.invitationsOf(invitations(), owner, stage.context.clock());
  }

  private boolean revoke(Invitation invitation) {
    return InvitationModule.revoke(invitations(), invitation, stage.context.clock());
  }

  private KeyValueStore invitations() {
    return stage.context.stores().keyValues(InvitationModule.STORE);
  }

  private void subscribe(String token) {
    stage.context.arrives(presence("subscribe", JULIET, preauth(token)));
  }

  private static String preauth(String token) {
    return "<preauth xmlns='urn:xmpp:pars:0' token='" + token + "'/>";
  }

  private static Presence presence(String type, Jid from, String payload) {
    return TestXml.presence(
        "<presence type='%s' from='%s' to='romeo@example.org'>%s</presence>"
            .formatted(type, from, payload));
  }

  private void put(Subscription subscription) {
    stage
        .context
        .stores()
        .rosters()
        .put(
            ROMEO, new RosterItem(JULIET, null, subscription, false, false, List.of(), null, true));
  }

  private RosterItem item() {
    return Objects.requireNonNull(item(JULIET));
  }

  private @Nullable RosterItem item(Jid contact) {
    return stage.context.stores().rosters().load(ROMEO).items().stream()
        .filter(item -> item.jid().equals(contact))
        .findFirst()
        .orElse(null);
  }

  private static String field(String name, String value) {
    return "<field var='%s'><value>%s</value></field>".formatted(name, value);
  }
}
