package im.zonda.module.pubsub.following;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.disco.DiscoModule;
import im.zonda.module.mam.MamModule;
import im.zonda.module.presence.PresenceModule;
import im.zonda.module.pubsub.PubSubModule;
import im.zonda.module.roster.RosterModule;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestSession;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.ErrorCondition;
import im.zonda.store.PubSubStore;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PublicSubscribersTest {
  private static final Jid JULIET = Jid.of("juliet@example.org");
  private static final String SUBSCRIBERS = "urn:xmpp:pps:subscribers:0/n";
  private static final String PUBLIC = "<public xmlns='urn:xmpp:pps:0'/>";

  private final RosterModule roster = new RosterModule();
  private final DiscoModule disco = new DiscoModule();
  private final TestContext context =
      new TestContext()
          .install(
              roster,
              new PresenceModule(roster),
              disco,
              new PubSubModule(roster, disco, new MamModule(roster)));
  private final TestSession juliet = context.bind("juliet@example.org/balcony");
  private final TestSession romeo = context.bind("romeo@example.org/orchard");

  private IqReply ask(TestSession session, String type, String namespace, String request) {
    return context.ask(
        session,
        TestXml.iq(
            "<iq type='"
                + type
                + "' id='p' to='juliet@example.org'><pubsub"
                + " xmlns='http://jabber.org/protocol/pubsub"
                + namespace
                + "'>"
                + request
                + "</pubsub></iq>"));
  }

  private void does(TestSession session, String namespace, String request) {
    assertThat(ask(session, "set", namespace, request)).isInstanceOf(IqReply.Result.class);
  }

  private void subscribe(String child) {
    does(romeo, "", "<subscribe node='n' jid='romeo@example.org'>" + child + "</subscribe>");
  }

  private List<String> listed() {
    return context
        .stores()
        .pubSub()
        .items(JULIET, SUBSCRIBERS, List.of("romeo@example.org", "juliet@example.org"))
        .stream()
        .map(PubSubStore.Item::id)
        .toList();
  }

  private int subscriptions() {
    PubSubStore.Stored stored = context.stores().pubSub().find(JULIET, "n");
    return stored == null ? 0 : stored.subscriptions().size();
  }

  @BeforeEach
  void create() {
    does(
        juliet,
        "",
        "<create node='n'/><configure><x xmlns='jabber:x:data' type='submit'><field"
            + " var='FORM_TYPE'><value>http://jabber.org/protocol/pubsub#node_config</value></field>"
            + "<field var='pubsub#access_model'><value>open</value></field></x></configure>");
  }

  @Test
  void whoDoesNotSaySoIsNotListed() {
    subscribe("");
    assertThat(listed()).isEmpty();
    assertThat(ask(romeo, "get", "", "<items node='" + SUBSCRIBERS + "'/>"))
        .as("every node has the list")
        .isInstanceOf(IqReply.Result.class);
  }

  @Test
  void theSameSubscriptionIsPublicOrNot() {
    subscribe("");
    subscribe(PUBLIC);
    assertThat(listed()).containsExactly("romeo@example.org");
    assertThat(subscriptions()).isEqualTo(1);
    subscribe("");
    assertThat(listed()).isEmpty();
    assertThat(subscriptions()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<affiliations node='n'><affiliation jid='romeo@example.org'"
            + " affiliation='outcast'/></affiliations>",
        "<subscriptions node='n'><subscription jid='romeo@example.org'"
            + " subscription='none'/></subscriptions>",
        "<configure node='n'><x xmlns='jabber:x:data' type='submit'><field var='FORM_TYPE'><value>"
            + "http://jabber.org/protocol/pubsub#node_config</value></field><field"
            + " var='pubsub#access_model'><value>whitelist</value></field></x></configure>",
        "<delete node='n'/>"
      })
  void aSubscriptionThatTheOwnerEndsIsNotListed(String request) {
    subscribe(PUBLIC);
    assertThat(listed()).containsExactly("romeo@example.org");
    does(juliet, "#owner", request);
    assertThat(listed()).isEmpty();
  }

  @Test
  void theListGoesWithItsNode() {
    subscribe(PUBLIC);
    does(juliet, "#owner", "<delete node='n'/>");
    assertThat(context.stores().pubSub().find(JULIET, SUBSCRIBERS)).isNull();
  }

  @Test
  void aSubscriptionIsListedWhenItWasApproved() {
    does(
        juliet,
        "#owner",
        "<configure node='n'><x xmlns='jabber:x:data' type='submit'><field var='FORM_TYPE'><value>"
            + "http://jabber.org/protocol/pubsub#node_config</value></field><field"
            + " var='pubsub#access_model'><value>authorize</value></field></x></configure>");
    subscribe(PUBLIC);
    assertThat(listed()).isEmpty();
    does(
        juliet,
        "#owner",
        "<affiliations node='n'><affiliation jid='romeo@example.org'"
            + " affiliation='member'/></affiliations>");
    assertThat(listed()).containsExactly("romeo@example.org");
  }

  /// XEP-0465, section 5.
  @ParameterizedTest
  @ValueSource(strings = {SUBSCRIBERS, "urn:xmpp:pps:subscriptions:0", "urn:xmpp:pam:0"})
  void onlyTheServerChangesTheLists(String node) {
    for (String request :
        List.of(
            "<create node='%s'/>",
            "<publish node='%s'><item id='a'><x xmlns='urn:x'/></item></publish>",
            "<retract node='%s'><item id='romeo@example.org'/></retract>")) {
      refuses("", request.formatted(node));
    }
    for (String request : List.of("<delete node='%s'/>", "<purge node='%s'/>")) {
      refuses("#owner", request.formatted(node));
    }
  }

  private void refuses(String namespace, String request) {
    IqReply reply = ask(juliet, "set", namespace, request);
    assertThat(reply).as(request).isInstanceOf(IqReply.Refuse.class);
    assertThat(((IqReply.Refuse) reply).error().condition())
        .as(request)
        .isEqualTo(ErrorCondition.FORBIDDEN);
  }
}
