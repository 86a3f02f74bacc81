package im.zonda.module.registration;

import static im.zonda.module.invitations.InvitationStage.condition;
import static im.zonda.module.testing.Expect.failedCommand;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.ServerConfig.Registration;
import im.zonda.config.Services.Invitations;
import im.zonda.config.Services.Invitations.Inviters;
import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.invitations.InvitationStage;
import im.zonda.module.testing.Expect;
import im.zonda.module.testing.TestSession;
import im.zonda.module.testing.TestStranger;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.store.RosterItem;
import im.zonda.store.Subscription;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Registration with tokens (XEP-0445).
class RegistrationByInvitationTest {
  private static final Invitations SETTINGS =
      new Invitations(Inviters.EVERYONE, Inviters.ADMINS, Duration.ofDays(7), null);
  private static final String CONTACT =
      "<field var='roster-subscription'><value>true</value></field>";
  private static final String NO_CONTACT =
      "<field var='roster-subscription'><value>false</value></field>";

  private final InvitationStage stage = new InvitationStage(SETTINGS);
  private final TestSession bard = stage.context.bind("bard@example.org/globe");
  private final TestStranger stranger = stranger();

  private static TestStranger stranger() {
    return new TestStranger(InetAddress.getLoopbackAddress());
  }

  @Test
  void bothFeaturesAreOffered() {
    assertThat(stage.context.host().streamFeaturesBeforeAuthentication())
        .containsExactly(
            TestXml.element("<register xmlns='urn:xmpp:ibr-token:0'/>"),
            TestXml.element("<register xmlns='http://jabber.org/features/iq-register'/>"));
    InvitationStage off = new InvitationStage(Invitations.DEFAULTS);
    assertThat(off.context.host().streamFeaturesBeforeAuthentication()).isEmpty();
  }

  @Test
  void anAdministratorsAddressIsRegisteredByNobody() {
    stage.context.stores().registration().addAdministrator(Jid.of("hamlet@example.org"));
    preauth(stranger, stage.accountToken(bard, ""));
    assertThat(condition(register(stranger, "hamlet"))).isEqualTo(ErrorCondition.CONFLICT);
    assertThat(condition(register(stranger, "HAMLET"))).isEqualTo(ErrorCondition.CONFLICT);
    assertThat(
            failedCommand(
                stage.inviteAccount(bard, "<field var='username'><value>hamlet</value></field>")))
        .contains("reserved");
    assertThat(register(stranger, "ophelia")).isEqualTo(IqReply.empty());
  }

  @Test
  void whoHasAnInvitationRegistersOnce() {
    String token = stage.accountToken(bard, "");
    assertThat(condition(register(stranger, "juliet"))).isEqualTo(ErrorCondition.NOT_ALLOWED);
    assertThat(condition(ask(stranger, "get", ""))).isEqualTo(ErrorCondition.NOT_ALLOWED);
    assertThat(preauth(stranger, token)).isEqualTo(IqReply.empty());
    Expect.result(
        ask(stranger, "get", ""),
        "<query xmlns='jabber:iq:register'><instructions>Choose a username and a password."
            + "</instructions><username/><password/>"
            + "<x xmlns='jabber:x:data' type='form'><instructions>Choose a username and a password.</instructions>"
            + "<field type='hidden' var='FORM_TYPE'><value>jabber:iq:register</value></field>"
            + "<field type='text-single' var='username' label='Username'><required/></field>"
            + "<field type='text-private' var='password' label='Password'><required/></field></x>"
            + "</query>");
    // A name that is taken does not use the invitation.
    assertThat(condition(register(stranger, "bard"))).isEqualTo(ErrorCondition.CONFLICT);
    assertThat(register(stranger, "juliet")).isEqualTo(IqReply.empty());
    assertThat(condition(register(stranger, "nurse"))).isEqualTo(ErrorCondition.NOT_ALLOWED);
    assertThat(condition(preauth(stranger, token))).isEqualTo(ErrorCondition.ITEM_NOT_FOUND);
    assertThat(stage.context.stores().accounts().count("example.org")).isEqualTo(2);
  }

  @Test
  void oneOfTwoWithTheSameInvitationRegisters() {
    String token = stage.accountToken(bard, "");
    TestStranger other = stranger();
    assertThat(preauth(stranger, token)).isEqualTo(IqReply.empty());
    assertThat(preauth(other, token)).isEqualTo(IqReply.empty());
    assertThat(register(other, "juliet")).isEqualTo(IqReply.empty());
    assertThat(condition(register(stranger, "nurse"))).isEqualTo(ErrorCondition.ITEM_NOT_FOUND);
    assertThat(stage.context.stores().accounts().find(Jid.of("nurse@example.org"))).isNull();
  }

  @Test
  void theTimeOfAnInvitationIsCheckedWhenItIsShownOnly() {
    String token = stage.accountToken(bard, "");
    assertThat(preauth(stranger, token)).isEqualTo(IqReply.empty());
    stage.context.clock().advance(Duration.ofDays(7));
    assertThat(preauth(stranger(), token))
        .isEqualTo(
            IqReply.refuse(
                ErrorCondition.ITEM_NOT_FOUND, "The provided token is invalid or expired"));
    assertThat(register(stranger, "juliet")).isEqualTo(IqReply.empty());
  }

  @Test
  void theUsernameOfAnInvitationIsReservedForIt() {
    InvitationStage open = new InvitationStage(SETTINGS, new Registration(true, 5));
    TestSession admin = open.context.bind("bard@example.org/globe");
    String name = "<field var='username'><value>juliet</value></field>";
    String token = open.accountToken(admin, name);
    assertThat(condition(register(open, stranger, "juliet"))).isEqualTo(ErrorCondition.CONFLICT);
    assertThat(register(open, stranger, "nurse")).isEqualTo(IqReply.empty());
    String other = open.accountToken(admin, "");
    assertThat(preauth(open, stranger, other)).isEqualTo(IqReply.empty());
    assertThat(condition(register(open, stranger, "juliet"))).isEqualTo(ErrorCondition.CONFLICT);
    assertThat(preauth(open, stranger, token)).isEqualTo(IqReply.empty());
    Expect.result(
        ask(open, stranger, "get", ""),
        "<query xmlns='jabber:iq:register'><instructions>Choose a password.</instructions>"
            + "<username>juliet</username><password/>"
            + "<x xmlns='jabber:x:data' type='form'><instructions>Choose a password.</instructions>"
            + "<field type='hidden' var='FORM_TYPE'><value>jabber:iq:register</value></field>"
            + "<field type='text-single' var='username' label='Username'><required/><value>juliet</value></field>"
            + "<field type='text-private' var='password' label='Password'><required/></field></x>"
            + "</query>");
    assertThat(condition(register(open, stranger, "peter")))
        .isEqualTo(ErrorCondition.NOT_ACCEPTABLE);
    assertThat(register(open, stranger, "juliet")).isEqualTo(IqReply.empty());
    assertThat(open.context.stores().keyValues("invitations").all(Jid.of("example.org"))).isEmpty();
  }

  @Test
  void aReservedNameIsFreeWhenTheInvitationHasEnded() {
    InvitationStage open = new InvitationStage(SETTINGS, new Registration(true, 5));
    TestSession admin = open.context.bind("bard@example.org/globe");
    open.accountToken(admin, "<field var='username'><value>juliet</value></field>");
    open.context.clock().advance(Duration.ofDays(7));
    assertThat(register(open, stranger, "juliet")).isEqualTo(IqReply.empty());
  }

  @Test
  void theInviterAndTheNewAccountAreContacts() {
    String token = stage.accountToken(bard, CONTACT);
    bard.received();
    preauth(stranger, token);
    assertThat(register(stranger, "juliet")).isEqualTo(IqReply.empty());
    stage.answerRequests();
    assertThat(item("bard@example.org", "juliet@example.org")).isEqualTo(Subscription.BOTH);
    assertThat(item("juliet@example.org", "bard@example.org")).isEqualTo(Subscription.BOTH);
  }

  @Test
  void theLinkOfAContactRegistersIfTheInviterMayCreateAccounts() {
    assertThat(preauth(stranger, stage.token(bard))).isEqualTo(IqReply.empty());
    assertThat(register(stranger, "juliet")).isEqualTo(IqReply.empty());
    stage.answerRequests();
    assertThat(item("bard@example.org", "juliet@example.org")).isEqualTo(Subscription.BOTH);
    TestSession romeo = stage.context.bind("romeo@example.org/orchard");
    assertThat(condition(preauth(stranger, stage.token(romeo))))
        .isEqualTo(ErrorCondition.ITEM_NOT_FOUND);
  }

  @Test
  void withoutASubscriptionNobodyIsAContact() {
    preauth(stranger, stage.accountToken(bard, NO_CONTACT));
    assertThat(register(stranger, "juliet")).isEqualTo(IqReply.empty());
    stage.answerRequests();
    assertThat(stage.context.stores().rosters().load(Jid.of("juliet@example.org")).items())
        .isEmpty();
  }

  @Test
  void neitherIsAContactIfTheRosterOfTheInviterIsFull() {
    for (int i = 0; i < 10; i++) {
      Jid contact = Jid.of("c" + i + "@x.example");
      stage
          .context
          .stores()
          .rosters()
          .put(
              Jid.of("bard@example.org"),
              new RosterItem(
                  contact, null, Subscription.NONE, false, false, List.of(), null, true));
    }
    preauth(stranger, stage.accountToken(bard, CONTACT));
    assertThat(register(stranger, "juliet")).isEqualTo(IqReply.empty());
    stage.answerRequests();
    assertThat(stage.context.stores().rosters().load(Jid.of("juliet@example.org")).items())
        .isEmpty();
  }

  @Test
  void onlyTheHostAddsContacts() {
    TestSession romeo = stage.context.bind("romeo@example.org/orchard");
    Iq request =
        TestXml.iq(
            "<iq type='set' id='x' to='bard@example.org'><contact"
                + " xmlns='urn:zonda:invitations:0' jid='romeo@example.org'/></iq>");
    assertThat(condition(stage.context.ask(romeo, request)))
        .isEqualTo(ErrorCondition.SERVICE_UNAVAILABLE);
    assertThat(stage.context.stores().rosters().load(Jid.of("bard@example.org")).items()).isEmpty();
  }

  @Test
  void tokensAreGuessedSeldom() {
    String token = stage.accountToken(bard, "");
    for (int i = 0; i < PreAuthentication.WRONG_TOKENS; i++) {
      assertThat(condition(preauth(stranger(), "guess" + i)))
          .isEqualTo(ErrorCondition.ITEM_NOT_FOUND);
    }
    assertThat(condition(preauth(stranger(), token))).isEqualTo(ErrorCondition.RESOURCE_CONSTRAINT);
    stage.context.clock().advance(Duration.ofHours(1));
    assertThat(preauth(stranger(), token)).isEqualTo(IqReply.empty());
  }

  @Test
  void manyWithInvitationsRegisterFromOneAddress() {
    for (int i = 0; i < 2 * PreAuthentication.WRONG_TOKENS; i++) {
      TestStranger each = stranger();
      assertThat(preauth(each, stage.accountToken(bard, ""))).isEqualTo(IqReply.empty());
      assertThat(register(each, "user" + i)).isEqualTo(IqReply.empty());
    }
  }

  private Subscription item(String owner, String contact) {
    return stage.context.stores().rosters().subscription(Jid.of(owner), Jid.of(contact));
  }

  private IqReply preauth(TestStranger client, String token) {
    return preauth(stage, client, token);
  }

  private static IqReply preauth(InvitationStage at, TestStranger client, String token) {
    return at.context.askUnauthenticated(
        TestXml.iq(
            "<iq type='set' id='pa1' to='example.org'><preauth xmlns='urn:xmpp:pars:0' token='"
                + token
                + "'/></iq>"),
        client);
  }

  private IqReply register(TestStranger client, String username) {
    return register(stage, client, username);
  }

  private static IqReply register(InvitationStage at, TestStranger client, String username) {
    return ask(
        at, client, "set", "<username>" + username + "</username><password>Calliope</password>");
  }

  private IqReply ask(TestStranger client, String type, String fields) {
    return ask(stage, client, type, fields);
  }

  private static IqReply ask(InvitationStage at, TestStranger client, String type, String fields) {
    return at.context.askUnauthenticated(
        TestXml.iq(
            "<iq type='%s' id='r1'><query xmlns='jabber:iq:register'>%s</query></iq>"
                .formatted(type, fields)),
        client);
  }
}
