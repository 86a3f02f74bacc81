package im.zonda.module.blocking;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.hook.Verdict;
import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.admin.AdminModule;
import im.zonda.module.disco.DiscoModule;
import im.zonda.module.presence.PresenceModule;
import im.zonda.module.roster.RosterModule;
import im.zonda.module.testing.Expect;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestSession;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Stanza;
import im.zonda.store.RosterItem;
import im.zonda.store.Subscription;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BlockingModuleTest {
  private static final String BLOCKED =
      "<error type='cancel'><not-acceptable xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/>"
          + "<blocked xmlns='urn:xmpp:blocking:errors'/></error>";
  private static final String UNAVAILABLE =
      "<error type='cancel'><service-unavailable xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/>"
          + "</error>";

  private final RosterModule roster = new RosterModule();
  private final PresenceModule presence = new PresenceModule(roster);
  private final TestContext context =
      new TestContext()
          .install(
              roster, presence, new BlockingModule(presence, new AdminModule(new DiscoModule())));
  private final TestSession juliet = online("juliet@example.org/chamber");
  private final TestSession balcony = online("juliet@example.org/balcony");
  private final TestSession romeo = online("romeo@example.org/orchard");

  // --- the list ---------------------------------------------------------------------------------

  @Test
  void theListIsEmptyAtFirstAndThenInOrder() {
    Expect.result(list(juliet), "<blocklist xmlns='urn:xmpp:blocking'/>");
    assertThat(block("romeo@example.org", "iago@shakespeare.example")).isEqualTo(IqReply.empty());
    Expect.result(
        list(juliet),
        "<blocklist xmlns='urn:xmpp:blocking'><item jid='romeo@example.org'/>"
            + "<item jid='iago@shakespeare.example'/></blocklist>");
  }

  @Test
  void theListLasts() {
    block("romeo@example.org", "d.example", "iago@shakespeare.example/a b");
    context.home(juliet.jid()).unload();
    Expect.result(
        list(juliet),
        "<blocklist xmlns='urn:xmpp:blocking'><item jid='romeo@example.org'/>"
            + "<item jid='d.example'/><item jid='iago@shakespeare.example/a b'/></blocklist>");
  }

  @Test
  void allWhoHaveAskedAreTold() {
    list(juliet);
    TestSession third = online("juliet@example.org/third");
    list(third);
    drain();
    block("romeo@example.org");
    String push =
        "<iq type='set' id='{any}' to='%s'><block xmlns='urn:xmpp:blocking'>"
            + "<item jid='romeo@example.org'/></block></iq>";
    Expect.receives(juliet, push.formatted(juliet.jid()));
    Expect.receives(third, push.formatted(third.jid()));
    Expect.receivesNothing(balcony);
    ask(juliet, "<unblock xmlns='urn:xmpp:blocking'/>");
    Expect.receives(juliet, "<iq type='set' id='{any}'><unblock xmlns='urn:xmpp:blocking'/></iq>");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "<block xmlns='urn:xmpp:blocking'/>|BAD_REQUEST",
        "<block xmlns='urn:xmpp:blocking'><other jid='a@b.example'/></block>|BAD_REQUEST",
        "<block xmlns='urn:xmpp:blocking'><item/></block>|BAD_REQUEST",
        "<unblock xmlns='urn:xmpp:blocking'><item/></unblock>|BAD_REQUEST",
        "<unblock xmlns='urn:xmpp:blocking'><other/></unblock>|BAD_REQUEST",
        "<block xmlns='urn:xmpp:blocking'><item jid='@'/></block>|JID_MALFORMED",
        "<block xmlns='urn:xmpp:blocking'><item jid='juliet@example.org'/></block>|NOT_ALLOWED"
      })
  void whatCannotBeDoneIsRefusedAndChangesNothing(String payload, ErrorCondition condition) {
    block("iago@shakespeare.example");
    assertThat(ask(juliet, payload))
        .isInstanceOfSatisfying(
            IqReply.Refuse.class, r -> assertThat(r.error().condition()).isEqualTo(condition));
    Expect.result(
        list(juliet),
        "<blocklist xmlns='urn:xmpp:blocking'><item jid='iago@shakespeare.example'/></blocklist>");
  }

  @Test
  void theListHasALimit() {
    int most = context.config().limits().blockedAddresses();
    String[] many = new String[most];
    for (int i = 0; i < most; i++) {
      many[i] = "u" + i + "@spam.example";
    }
    assertThat(block(many)).isEqualTo(IqReply.empty());
    assertThat(block("one@spam.example"))
        .isInstanceOfSatisfying(
            IqReply.Refuse.class,
            r -> assertThat(r.error().condition()).isEqualTo(ErrorCondition.RESOURCE_CONSTRAINT));
    assertThat(block("u1@spam.example")).isEqualTo(IqReply.empty());
  }

  @Test
  void theAddressesOfTheListHaveALimitTogether() {
    int most = context.config().limits().blockedBytes();
    String part = "x".repeat(1_000);
    String[] many = new String[most / 1_020];
    for (int i = 0; i < many.length; i++) {
      many[i] = "u" + i + "@spam.example/" + part.substring(20);
    }
    assertThat(block(many)).isEqualTo(IqReply.empty());
    assertThat(
            block(
                "1@spam.example/" + part,
                "2@spam.example/" + part,
                "3@spam.example/" + part,
                "4@spam.example/" + part))
        .isInstanceOfSatisfying(
            IqReply.Refuse.class,
            r -> assertThat(r.error().condition()).isEqualTo(ErrorCondition.RESOURCE_CONSTRAINT));
    assertThat(block(many[0])).isEqualTo(IqReply.empty());
  }

  // --- what is stopped --------------------------------------------------------------------------

  @ParameterizedTest
  @CsvSource({
    "romeo@example.net/a, romeo@example.net/a, true",
    "romeo@example.net/a, romeo@example.net/b, false",
    "romeo@example.net/a, romeo@example.net, false",
    "romeo@example.net, romeo@example.net/a, true",
    "romeo@example.net, romeo@example.net, true",
    "romeo@example.net, example.net, false",
    "example.net/a, example.net/a, true",
    "example.net/a, example.net/b, false",
    "example.net/a, romeo@example.net/a, false",
    "example.net, example.net, true",
    "example.net, example.net/a, true",
    "example.net, romeo@example.net/a, true",
    "example.net, sub.example.net, false",
    "example.org, romeo@example.org/a, true",
    "example.org, example.org, false",
    "example.org, juliet@example.org/balcony, false"
  })
  void whomAnAddressStandsFor(String blocked, String sender, boolean stopped) {
    block(blocked);
    Verdict verdict =
        context.arrives(
            TestXml.stanza(
                "<message from='" + sender + "' to='juliet@example.org'><body>x</body></message>"));
    assertThat(verdict instanceof Verdict.Refuse).isEqualTo(stopped);
  }

  @Test
  void row85_nothingOfABlockedSenderArrivesWhateverItSaysInside() {
    block("romeo@example.org");
    drain();
    send(
        romeo,
        "<message type='chat' id='m' to='juliet@example.org/chamber'><body>x</body>"
            + "<forwarded xmlns='urn:xmpp:forward:0'><message xmlns='jabber:client'"
            + " from='nurse@example.org'/></forwarded></message>");
    Expect.receives(
        romeo,
        "<message type='error' id='m' from='juliet@example.org/chamber'>"
            + UNAVAILABLE
            + "</message>");
    for (String to : List.of("juliet@example.org", "juliet@example.org/chamber")) {
      send(romeo, "<iq type='get' id='q' to='" + to + "'><ping xmlns='urn:xmpp:ping'/></iq>");
      Expect.receives(romeo, "<iq type='error' id='q' from='" + to + "'>" + UNAVAILABLE + "</iq>");
      send(romeo, "<iq type='result' id='q' to='" + to + "'/>");
      for (String type : List.of("", "type='unavailable'", "type='subscribe'", "type='probe'")) {
        send(romeo, "<presence " + type + " to='" + to + "'/>");
      }
    }
    Expect.receivesNothing(juliet);
    Expect.receivesNothing(balcony);
    assertThat(romeo.takeReceived()).allMatch(each -> each.to() == null || !each.isError());
    assertThat(roster.rosters().of(context.home(juliet.jid())).find(romeo.jid().bare())).isNull();
  }

  @Test
  void whatTheUserSendsToABlockedAddressComesBack() {
    block("romeo@example.org");
    drain();
    for (String stanza :
        List.of(
            "<message type='chat' id='1' to='romeo@example.org'><body>x</body></message>",
            "<presence id='1' to='romeo@example.org/orchard'/>",
            "<presence id='1' type='subscribe' to='romeo@example.org'/>",
            "<iq type='get' id='1' to='romeo@example.org/orchard'><q xmlns='urn:q'/></iq>",
            "<iq type='get' id='1' to='romeo@example.org'><q xmlns='urn:q'/></iq>")) {
      send(juliet, stanza);
      Stanza answer = juliet.takeReceived().getFirst();
      assertThat(answer.isError()).isTrue();
      assertThat(answer.id()).isEqualTo("1");
      assertThat(Expect.matches(TestXml.element(BLOCKED), answer.payloads().getFirst())).isTrue();
    }
    for (String stanza :
        List.of(
            "<message type='error' to='romeo@example.org/orchard'/>",
            "<iq type='result' id='1' to='romeo@example.org/orchard'/>")) {
      send(juliet, stanza);
    }
    Expect.receivesNothing(juliet);
    Expect.receivesNothing(romeo);
  }

  @Test
  void nobodyElseIsConcerned() {
    block("iago@example.org");
    TestSession nurse = online("nurse@example.org/r");
    drain();
    send(romeo, "<message type='chat' to='juliet@example.org/chamber'><body>x</body></message>");
    assertThat(juliet.takeReceived()).hasSize(1);
    send(juliet, "<message type='chat' to='nurse@example.org/r'><body>x</body></message>");
    assertThat(nurse.takeReceived()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"block", "unblock"})
  void pushesComeFromTheServerOnly(String word) {
    drain();
    send(
        romeo,
        "<iq type='set' id='f' to='juliet@example.org/chamber'><"
            + word
            + " xmlns='urn:xmpp:blocking'><item jid='nurse@example.org'/></"
            + word
            + "></iq>");
    Expect.receivesNothing(juliet);
    assertThat(romeo.takeReceived().getFirst().isError()).isTrue();
  }

  // --- presence ---------------------------------------------------------------------------------

  @Test
  void theBlockedContactSeesTheUserGoAndComeBack() {
    holds("juliet@example.org", "romeo@example.org", Subscription.BOTH);
    holds("romeo@example.org", "juliet@example.org", Subscription.BOTH);
    block("romeo@example.org");
    Expect.receivesInAnyOrder(
        romeo,
        "<presence type='unavailable' from='juliet@example.org/chamber'/>",
        "<presence type='unavailable' from='juliet@example.org/balcony'/>");
    assertThat(item("juliet@example.org", "romeo@example.org").subscription())
        .isEqualTo(Subscription.BOTH);
    // What happens meanwhile stays unseen, on both sides.
    send(juliet, "<presence><show>away</show></presence>");
    send(romeo, "<presence><show>dnd</show></presence>");
    context.end(balcony);
    context.deliver();
    TestSession third = online("juliet@example.org/third");
    assertThat(romeo.takeReceived()).allMatch(each -> romeo.jid().equals(each.from()));
    assertThat(third.received()).isEmpty();
    drain();
    ask(juliet, "<unblock xmlns='urn:xmpp:blocking'><item jid='romeo@example.org'/></unblock>");
    context.deliver();
    Expect.receivesInAnyOrder(
        romeo,
        "<presence from='juliet@example.org/chamber'><show>away</show></presence>",
        "<presence from='juliet@example.org/third'/>");
    Expect.receives(
        juliet, "<presence from='romeo@example.org/orchard'><show>dnd</show></presence>");
  }

  @Test
  void whoMayNotSeeTheUserIsToldNothing() {
    holds("juliet@example.org", "romeo@example.org", Subscription.TO);
    block("romeo@example.org");
    Expect.receivesNothing(romeo);
    ask(juliet, "<unblock xmlns='urn:xmpp:blocking'/>");
    context.deliver();
    Expect.receivesNothing(romeo);
  }

  @Test
  void directedPresenceIsWithdrawn() {
    send(juliet, "<presence to='romeo@example.org/orchard'/>");
    romeo.takeReceived();
    block("example.org");
    Expect.receives(romeo, "<presence type='unavailable' from='juliet@example.org/chamber'/>");
    context.end(juliet);
    context.deliver();
    Expect.receivesNothing(romeo);
  }

  @Test
  void oneClientOfAContactIsBlockedAlone() {
    holds("juliet@example.org", "romeo@example.org", Subscription.FROM);
    block("romeo@example.org/orchard");
    assertThat(romeo.takeReceived()).hasSize(2);
    ask(
        juliet,
        "<unblock xmlns='urn:xmpp:blocking'><item jid='romeo@example.org/orchard'/></unblock>");
    context.deliver();
    assertThat(romeo.takeReceived()).hasSize(2);
  }

  @Test
  void whoIsStillBlockedByDomainSeesNothingOfAnUnblock() {
    holds("juliet@example.org", "romeo@example.org", Subscription.FROM);
    block("romeo@example.org", "example.org");
    romeo.takeReceived();
    ask(juliet, "<unblock xmlns='urn:xmpp:blocking'><item jid='romeo@example.org'/></unblock>");
    context.deliver();
    Expect.receivesNothing(romeo);
  }

  // --- reports ----------------------------------------------------------------------------------

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<report xmlns='urn:xmpp:reporting:1' reason='urn:xmpp:reporting:spam'>"
            + "<stanza-id xmlns='urn:xmpp:sid:0' by='romeo@example.net' id='1'/>"
            + "<text>Never came trouble</text><report-origin/></report>",
        "<report xmlns='urn:xmpp:reporting:1'/>",
        "<report xmlns='urn:xmpp:reporting:1' reason='urn:whatever'/>"
      })
  void aReportNeverStandsInTheWayOfTheBlock(String report) {
    IqReply reply =
        ask(
            juliet,
            "<block xmlns='urn:xmpp:blocking'><item jid='romeo@example.net'>"
                + report
                + "</item></block>");
    assertThat(reply).isEqualTo(IqReply.empty());
    Expect.result(
        list(juliet),
        "<blocklist xmlns='urn:xmpp:blocking'><item jid='romeo@example.net'/></blocklist>");
  }

  // --- aids -------------------------------------------------------------------------------------

  private TestSession online(String full) {
    TestSession session = context.bind(full);
    send(session, "<presence/>");
    context.deliver();
    session.takeReceived();
    return session;
  }

  private void drain() {
    context.deliver();
    context.home(juliet.jid()).sessions().forEach(TestSession::takeReceived);
    romeo.takeReceived();
  }

  private void send(TestSession session, String xml) {
    context.fromClient(session, TestXml.stanza(xml));
  }

  private IqReply list(TestSession session) {
    return context.ask(
        session, TestXml.iq("<iq type='get' id='l'><blocklist xmlns='urn:xmpp:blocking'/></iq>"));
  }

  private IqReply ask(TestSession session, String payload) {
    return context.ask(session, TestXml.iq("<iq type='set' id='b'>" + payload + "</iq>"));
  }

  private IqReply block(String... addresses) {
    StringBuilder block = new StringBuilder("<block xmlns='urn:xmpp:blocking'>");
    for (String address : addresses) {
      block.append("<item jid='").append(address).append("'/>");
    }
    IqReply reply = ask(juliet, block.append("</block>").toString());
    context.deliver();
    return reply;
  }

  private void holds(String owner, String contact, Subscription subscription) {
    roster
        .rosters()
        .put(
            context.account(owner),
            new RosterItem(
                Jid.of(contact), null, subscription, false, false, List.of(), null, true));
  }

  private RosterItem item(String owner, String contact) {
    return Objects.requireNonNull(
        roster.rosters().of(context.home(Jid.of(owner))).find(Jid.of(contact)));
  }
}
