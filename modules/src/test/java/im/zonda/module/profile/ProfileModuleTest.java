package im.zonda.module.profile;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.module.disco.DiscoModule;
import im.zonda.module.mam.MamModule;
import im.zonda.module.presence.PresenceModule;
import im.zonda.module.pubsub.PubSubModule;
import im.zonda.module.roster.RosterModule;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestSession;
import im.zonda.module.testing.TestXml;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ProfileModuleTest {
  private static final Jid JULIET = Jid.of("juliet@example.org");
  private static final String MICROBLOG = "urn:xmpp:microblog:0";

  private final RosterModule roster = new RosterModule();
  private final DiscoModule disco = new DiscoModule();
  private final PubSubModule pubsub = new PubSubModule(roster, disco, new MamModule(roster));
  private final ProfileModule profile = new ProfileModule(pubsub);
  private final TestContext context =
      new TestContext().install(roster, new PresenceModule(roster), disco, pubsub, profile);
  private final TestSession juliet = context.bind("juliet@example.org/balcony");

  private String settingsAfterPublishing(String node) {
    context.ask(
        juliet,
        TestXml.iq(
            "<iq type='set' id='p1'><pubsub xmlns='http://jabber.org/protocol/pubsub'><publish node='"
                + node
                + "'><item id='a'><x xmlns='urn:x'/></item></publish></pubsub></iq>"));
    return Objects.requireNonNull(context.stores().pubSub().find(JULIET, node)).node().settings();
  }

  @Test
  void nodesAreCreatedAsTheirXepsSay() {
    assertThat(settingsAfterPublishing("urn:xmpp:vcard4").lines())
        .containsExactlyInAnyOrder(
            "pubsub#access_model=open",
            "pubsub#deliver_payloads=0",
            "pubsub#send_last_published_item=never");
    assertThat(settingsAfterPublishing("urn:xmpp:contacts").lines())
        .containsExactlyInAnyOrder(
            "pubsub#access_model=whitelist",
            "pubsub#max_items=max",
            "pubsub#send_last_published_item=never");
    assertThat(settingsAfterPublishing(MICROBLOG).lines())
        .containsExactlyInAnyOrder(
            "pubsub#type=" + MICROBLOG,
            "pubsub#max_items=max",
            "pubsub#deliver_payloads=0",
            "pubsub#send_last_published_item=never");
    assertThat(context.host().features()).contains("urn:ietf:params:xml:ns:vcard-4.0");
  }

  @Test
  void afterItHasStoppedNodesAreLikeOthers() {
    profile.stop();
    assertThat(settingsAfterPublishing(MICROBLOG)).isEmpty();
  }
}
