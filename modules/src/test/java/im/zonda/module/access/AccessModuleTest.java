package im.zonda.module.access;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.testing.Expect;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestSession;
import im.zonda.module.testing.TestXml;
import im.zonda.session.UserAgent;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.store.Account;
import im.zonda.store.KnownClient;
import im.zonda.store.KnownClients;
import im.zonda.store.ScramKeys;
import im.zonda.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AccessModuleTest {
  private static final Jid ROMEO = Jid.of("romeo@example.org");
  private static final String ID = "d4565fa7-4d72-4749-b3d3-740edbf87770";
  private static final String LIST = "<iq type='get' id='l'><list xmlns='urn:xmpp:cam:0'/></iq>";

  private final TestContext context = new TestContext().install(new AccessModule());
  private final TestSession romeo;
  private final KnownClients clients =
      new KnownClients(
          context.stores().keyValues(KnownClients.STORE), 32, Duration.ofDays(30), context.clock());

  AccessModuleTest() {
    context.stores().accounts().create(List.of(account(1)));
    romeo = context.bind("romeo@example.org/orchard");
    romeo.set(UserAgent.KEY, new UserAgent("own", "Test", null));
  }

  private static Account account(int key) {
    byte[] bytes = {(byte) key};
    return new Account(
        ROMEO, List.of(new ScramKeys("SHA-256", bytes, 4_096, bytes, bytes)), Instant.EPOCH);
  }

  private void known(String id, KnownClient.@Nullable Token token) {
    Instant now = context.clock().instant();
    clients.add(
        ROMEO,
        new KnownClient(id, "Test", "Desk", now, now, KnownClient.markOf(account(1)), token, null));
  }

  private IqReply ask(String xml) {
    return context.ask(romeo, TestXml.iq(xml));
  }

  private IqReply revoke(String id) {
    return ask("<iq type='set' id='r'><revoke xmlns='urn:xmpp:cam:0' id='" + id + "'/></iq>");
  }

  private static void refused(IqReply reply, ErrorCondition condition) {
    assertThat(reply)
        .isInstanceOfSatisfying(
            IqReply.Refuse.class,
            refusal -> assertThat(refusal.error().condition()).isEqualTo(condition));
  }

  private void changePassword() {
    context.stores().accounts().changeKeys(ROMEO, account(2).keys());
  }

  @Test
  void aClientThatIsAwayIsListedWithItsToken() {
    Instant now = context.clock().instant();
    known(ID, new KnownClient.Token("HT-SHA-256-NONE", "seed", now, now.plusSeconds(60)));

    Expect.result(
        ask(LIST),
        "<clients xmlns='urn:xmpp:cam:0'><client connected='false' id='"
            + ID
            + "' type='session'><first-seen>2026-11-21T12:00:00Z</first-seen>"
            + "<last-seen>2026-11-21T12:00:00Z</last-seen><auth><password/><fast/></auth>"
            + "<permission status='unrestricted'/><user-agent><software>Test</software>"
            + "<device>Desk</device></user-agent></client></clients>");
  }

  @Test
  void aClientWithoutTheNewPasswordHasNoAccess() {
    known(ID, null);
    changePassword();

    Expect.result(ask(LIST), "<clients xmlns='urn:xmpp:cam:0'/>");
    assertThat(revoke(ID)).isEqualTo(IqReply.empty());
    assertThat(clients.find(ROMEO, ID)).isNull();
  }

  @Test
  void aClientThatHasNotComeForLongIsNotListed() {
    known(ID, null);
    context.clock().advance(Duration.ofDays(31));

    Expect.result(ask(LIST), "<clients xmlns='urn:xmpp:cam:0'/>");
    refused(revoke(ID), ErrorCondition.ITEM_NOT_FOUND);
  }

  @Test
  void revokingEndsSessionsAndTokensAndSaysThatThePasswordIsKnown() {
    known(ID, null);
    TestSession phone = context.bind("romeo@example.org/phone");
    phone.set(UserAgent.KEY, new UserAgent(ID, "Test", null));

    refused(revoke(ID), ErrorCondition.SERVICE_UNAVAILABLE);

    assertThat(phone.closed()).isEqualTo(StreamErrorCondition.NOT_AUTHORIZED);
    assertThat(romeo.closed()).isNull();
    assertThat(clients.find(ROMEO, ID)).isNull();
  }

  @Test
  void aSessionWithoutAnIdentifier() {
    TestSession old = context.bind("romeo@example.org/old");

    Expect.result(
        ask(LIST),
        "<clients xmlns='urn:xmpp:cam:0'><client connected='true' id='session:old'"
            + " type='session'><auth><password/></auth><permission status='unrestricted'/>"
            + "<user-agent/></client></clients>");
    refused(revoke("session:old"), ErrorCondition.SERVICE_UNAVAILABLE);
    assertThat(old.closed()).isEqualTo(StreamErrorCondition.NOT_AUTHORIZED);
  }

  @Test
  void nonsenseAndFailures() {
    refused(
        ask("<iq type='set' id='r'><revoke xmlns='urn:xmpp:cam:0'/></iq>"),
        ErrorCondition.BAD_REQUEST);
    refused(revoke("nobody"), ErrorCondition.ITEM_NOT_FOUND);
    known(ID, null);
    context.stores().fail(StoreException.Category.UNAVAILABLE);
    refused(revoke(ID), ErrorCondition.RESOURCE_CONSTRAINT);
  }
}
