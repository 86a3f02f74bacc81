package im.zonda.module.following;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.module.ExternalComponents;
import im.zonda.module.IqReply;
import im.zonda.module.disco.DiscoModule;
import im.zonda.module.mam.MamModule;
import im.zonda.module.presence.PresenceModule;
import im.zonda.module.pubsub.PubSubModule;
import im.zonda.module.roster.RosterModule;
import im.zonda.module.testing.Expect;
import im.zonda.module.testing.TestComponents;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestSession;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.StanzaError;
import im.zonda.store.PubSubStore;
import im.zonda.xml.Element;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class FollowingModuleTest {
  private static final Jid ROMEO = Jid.of("romeo@example.org");
  private static final String PUBLIC = "urn:xmpp:pps:subscriptions:0";
  private static final String FOLLOW = request("subscribe", "<public xmlns='urn:xmpp:pps:0'/>", "");
  private static final String ANSWER =
      "<pubsub xmlns='http://jabber.org/protocol/pubsub'><subscription node='urn:xmpp:microblog:0'"
          + " jid='romeo@example.org' subscription='subscribed' subid='a1'/></pubsub>";

  private final RosterModule roster = new RosterModule();
  private final DiscoModule disco = new DiscoModule();
  private final PubSubModule pubsub = new PubSubModule(roster, disco, new MamModule(roster));
  private final TestContext context =
      new TestContext()
          .install(roster, new PresenceModule(roster), disco, pubsub, new FollowingModule(pubsub));
  private final TestComponents components = (TestComponents) context.port(ExternalComponents.class);
  private final TestSession romeo = context.bind("romeo@example.org/orchard");

  private static String request(String action, String child, String attributes) {
    return "<iq type='set' id='sub1'><pam xmlns='urn:xmpp:pam:0' jid='benvolio@montague.lit'><"
        + action
        + " xmlns='http://jabber.org/protocol/pubsub' node='urn:xmpp:microblog:0'"
        + " jid='romeo@example.org'"
        + attributes
        + ">"
        + child
        + "</"
        + action
        + "></pam></iq>";
  }

  private void asks(String iq) {
    assertThat(context.ask(romeo, TestXml.iq(iq))).isEqualTo(IqReply.later());
  }

  private void answers(Iq answer) {
    components.requests.removeFirst().answered().accept(answer);
    context.runTasks();
  }

  private void answersWith(String payload) {
    answers(Iq.result(components.requests.getFirst().iq(), TestXml.element(payload)));
  }

  private List<String> listed(String node) {
    PubSubStore.Page page =
        context.stores().pubSub().page(ROMEO, node, PubSubStore.Order.CREATION, null, false, 10);
    return page == null
        ? List.of()
        : page.items().stream()
            .map(item -> new String(item.payload(), StandardCharsets.UTF_8))
            .toList();
  }

  private Element list(String version) {
    IqReply reply =
        context.ask(
            romeo,
            TestXml.iq(
                "<iq type='get' id='l'><subscriptions xmlns='urn:xmpp:pam:0'"
                    + version
                    + "/></iq>"));
    assertThat(reply).isInstanceOf(IqReply.Result.class);
    Element payload = ((IqReply.Result) reply).payload();
    return payload == null ? Element.of("urn:test", "empty") : payload;
  }

  private void follow() {
    asks(FOLLOW);
    answersWith(ANSWER);
    Expect.receives(romeo, "<iq type='result' id='sub1' to='romeo@example.org/orchard'/>");
  }

  @Test
  void theRequestIsSentFromTheAccount() {
    asks(FOLLOW);
    TestComponents.Request sent = components.requests.getFirst();
    assertThat(sent.iq().from()).isEqualTo(ROMEO);
    assertThat(sent.iq().to()).isEqualTo(Jid.of("benvolio@montague.lit"));
    assertThat(sent.requester()).isEqualTo(ROMEO);
    assertThat(sent.iq().payload())
        .isEqualTo(
            TestXml.element(
                "<pubsub xmlns='http://jabber.org/protocol/pubsub'><subscribe"
                    + " node='urn:xmpp:microblog:0' jid='romeo@example.org'><public"
                    + " xmlns='urn:xmpp:pps:0'/></subscribe></pubsub>"));
    assertThat(listed(PUBLIC)).as("before the answer").isEmpty();
  }

  @Test
  void aPublicSubscriptionIsInBothLists() {
    follow();
    assertThat(listed(PUBLIC))
        .containsExactly(
            "<subscription xmlns='urn:xmpp:pps:0' node='urn:xmpp:microblog:0'"
                + " jid='benvolio@montague.lit'/>");
    Element list = list("");
    assertThat(list.children())
        .containsExactly(
            TestXml.element(
                "<subscription xmlns='urn:xmpp:pam:0' service='benvolio@montague.lit'"
                    + " node='urn:xmpp:microblog:0' jid='romeo@example.org'"
                    + " subscription='subscribed' subid='a1'/>"));
    assertThat(list(" ver='" + list.attribute("ver") + "'").name().name())
        .as("the client has it")
        .isEqualTo("empty");
  }

  /// XEP-0376, section 3.2: before the answer.
  @Test
  void clientsThatSupportItAreNotified() {
    context.fromClient(
        romeo,
        TestXml.presence(
            "<presence><c xmlns='http://jabber.org/protocol/caps' node='urn:x' ver='1'/></presence>"));
    answersWith(
        "<query xmlns='http://jabber.org/protocol/disco#info'><feature"
            + " var='urn:xmpp:pam:0'/></query>");
    romeo.takeReceived();
    asks(FOLLOW);
    answersWith(ANSWER);
    Expect.receives(
        romeo,
        "<message from='romeo@example.org' to='romeo@example.org/orchard'><notify"
            + " xmlns='urn:xmpp:pam:0' ver='"
            + list("").attribute("ver")
            + "' service='benvolio@montague.lit'><subscription"
            + " xmlns='http://jabber.org/protocol/pubsub' node='urn:xmpp:microblog:0'"
            + " jid='romeo@example.org' subscription='subscribed' subid='a1'/></notify></message>",
        "<iq type='result' id='sub1' to='romeo@example.org/orchard'/>");
  }

  @Test
  void whoSubscribesAgainWithoutSayingSoIsNotListedAnyMore() {
    follow();
    asks(request("subscribe", "", ""));
    assertThat(listed(PUBLIC)).as("before the service has answered").isEmpty();
    assertThat(context.stores().pubSub().find(ROMEO, PUBLIC)).as("like one who never had").isNull();
    answersWith(ANSWER);
    assertThat(listed(PUBLIC)).isEmpty();
    assertThat(list("").children()).hasSize(1);
  }

  @Test
  void whoUnsubscribesIsInNoList() {
    follow();
    asks(request("unsubscribe", "", ""));
    answers(Iq.result(components.requests.getFirst().iq(), null));
    assertThat(listed(PUBLIC)).isEmpty();
    assertThat(list("").children()).isEmpty();
  }

  @Test
  void ofTwoSubscriptionsToANodeTheOtherStaysPublic() {
    follow();
    asks(FOLLOW);
    answersWith(ANSWER.replace("a1", "a2"));
    assertThat(list("").children()).hasSize(2);
    assertThat(listed(PUBLIC)).hasSize(1);
    asks(request("unsubscribe", "", " subid='a1'"));
    answers(Iq.result(components.requests.getFirst().iq(), null));
    assertThat(list("").children()).hasSize(1);
    assertThat(listed(PUBLIC)).hasSize(1);
  }

  @Test
  void aSubscriptionIsPublicWhenItWasApproved() {
    asks(FOLLOW);
    answersWith(ANSWER.replace("'subscribed'", "'pending'"));
    assertThat(listed(PUBLIC)).isEmpty();
    arrives(
        "<subscription node='urn:xmpp:microblog:0' jid='romeo@example.org'"
            + " subscription='subscribed' subid='a1'/>");
    assertThat(listed(PUBLIC)).hasSize(1);
  }

  @Test
  void whatTheServiceEndsIsInNoList() {
    follow();
    arrives("<subscription node='other' jid='romeo@example.org' subscription='none'/>");
    assertThat(listed(PUBLIC)).hasSize(1);
    arrives(
        "<subscription node='urn:xmpp:microblog:0' jid='romeo@example.org'"
            + " subscription='none' subid='a1'/>");
    assertThat(listed(PUBLIC)).isEmpty();
    assertThat(list("").children()).isEmpty();
    follow();
    arrives("<delete node='urn:xmpp:microblog:0'/>");
    assertThat(list("").children()).isEmpty();
  }

  private void arrives(String event) {
    context.arrives(
        TestXml.message(
            "<message from='benvolio@montague.lit' to='romeo@example.org' type='headline'><event"
                + " xmlns='http://jabber.org/protocol/pubsub#event'>"
                + event
                + "</event></message>"));
    romeo.takeReceived();
  }

  @Test
  void theErrorOfTheServiceSaysWhoseItIs() {
    asks(FOLLOW);
    StanzaError error = StanzaError.of(ErrorCondition.NOT_AUTHORIZED);
    answers(Iq.error(components.requests.getFirst().iq(), error));
    Expect.receives(
        romeo,
        "<iq type='error' id='sub1' to='romeo@example.org/orchard'><error type='auth'"
            + " by='benvolio@montague.lit'><not-authorized"
            + " xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></iq>");
    assertThat(list("").children()).isEmpty();
  }

  @Test
  void whatTheServiceDoesNotKnowIsNotListed() {
    follow();
    asks(request("unsubscribe", "", ""));
    StanzaError error = StanzaError.of(ErrorCondition.UNEXPECTED_REQUEST);
    answers(Iq.error(components.requests.getFirst().iq(), error));
    assertThat(list("").children()).isEmpty();
  }

  @Test
  void onlyTheOwnAccountIsSubscribed() {
    IqReply reply =
        context.ask(
            romeo,
            TestXml.iq(FOLLOW.replace("jid='romeo@example.org'", "jid='juliet@example.org'")));
    assertThat(reply).isInstanceOf(IqReply.Refuse.class);
    StanzaError error = ((IqReply.Refuse) reply).error();
    assertThat(error.condition()).isEqualTo(ErrorCondition.BAD_REQUEST);
    assertThat(error.detail())
        .isEqualTo(Element.of("http://jabber.org/protocol/pubsub#errors", "invalid-jid"));
    assertThat(components.requests).isEmpty();
  }
}
