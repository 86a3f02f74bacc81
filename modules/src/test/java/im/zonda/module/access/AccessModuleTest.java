package im.zonda.module.access;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.module.ClientAccess.Client;
import im.zonda.module.IqReply;
import im.zonda.module.testing.Expect;
import im.zonda.module.testing.TestClientAccess;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestSession;
import im.zonda.module.testing.TestXml;
import im.zonda.session.UserAgent;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.store.StoreException;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class AccessModuleTest {
  private static final Jid ROMEO = Jid.of("romeo@example.org");
  private static final String ID = "d4565fa7-4d72-4749-b3d3-740edbf87770";
  private static final String LIST = "<iq type='get' id='l'><list xmlns='urn:xmpp:cam:0'/></iq>";

  private final TestContext context = new TestContext().install(new AccessModule());
  private final TestSession romeo = context.bind("romeo@example.org/here");

  AccessModuleTest() {
    romeo.set(UserAgent.KEY, new UserAgent("another", null, null));
  }

  private void addClient(boolean knowsPassword, boolean hasToken) {
    Instant now = context.clock().instant();
    clients().add(ROMEO, new Client(ID, "Test", "Desk", now, now, knowsPassword, hasToken));
  }

  private TestClientAccess clients() {
    return context.stores().clients();
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

  @Test
  void aClientThatIsAwayIsListedWithItsToken() {
    addClient(true, true);

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
    addClient(false, false);

    Expect.result(ask(LIST), "<clients xmlns='urn:xmpp:cam:0'/>");
    assertThat(revoke(ID)).isEqualTo(IqReply.empty());
    assertThat(clients().list(ROMEO)).isEmpty();
  }

  @Test
  void revokingEndsSessionsAndTokensAndSaysThatThePasswordIsKnown() {
    addClient(true, false);
    TestSession phone = context.bind("romeo@example.org/phone");
    phone.set(UserAgent.KEY, new UserAgent(ID, "Test", null));

    refused(revoke(ID), ErrorCondition.SERVICE_UNAVAILABLE);

    assertThat(phone.closed()).isEqualTo(StreamErrorCondition.NOT_AUTHORIZED);
    assertThat(romeo.closed()).isNull();
    assertThat(clients().list(ROMEO)).isEmpty();
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
    addClient(true, false);
    context.stores().fail(StoreException.Category.UNAVAILABLE);
    refused(revoke(ID), ErrorCondition.RESOURCE_CONSTRAINT);
  }
}
