package im.zonda.module.pubsub.attachment;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.PubSub;
import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.disco.DiscoModule;
import im.zonda.module.mam.MamModule;
import im.zonda.module.presence.PresenceModule;
import im.zonda.module.pubsub.PubSubConfigs;
import im.zonda.module.pubsub.PubSubModule;
import im.zonda.module.pubsub.node.DerivedNode;
import im.zonda.module.roster.RosterModule;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestSession;
import im.zonda.module.testing.TestXml;
import im.zonda.store.PubSubStore;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AttachmentsTest {
  private static final Jid JULIET = Jid.of("juliet@example.org");
  private static final Jid ROMEO = Jid.of("romeo@example.org/orchard");
  private static final String NOTICED =
      "<attachments xmlns='urn:xmpp:pubsub-attachments:1'><noticed/></attachments>";
  private static final String SUMMARIES = new DerivedNode("n", null).name(JULIET);

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

  private static String attachments(String item) {
    return new DerivedNode("n", item).name(JULIET);
  }

  private boolean does(TestSession session, String namespace, String request) {
    IqReply reply =
        context.ask(
            session,
            TestXml.iq(
                "<iq type='set' id='p' to='juliet@example.org'><pubsub"
                    + " xmlns='http://jabber.org/protocol/pubsub"
                    + namespace
                    + "'>"
                    + request
                    + "</pubsub></iq>"));
    return reply instanceof IqReply.Result;
  }

  private boolean publishes(TestSession session, String node, String id, String payload) {
    return does(
        session,
        "",
        "<publish node='" + node + "'><item id='" + id + "'>" + payload + "</item></publish>");
  }

  private PubSubStore store() {
    return context.stores().pubSub();
  }

  private List<String> nodes() {
    return store().list(JULIET, null, 100);
  }

  private List<String> summarized() {
    return store().items(JULIET, SUMMARIES, List.of("a", "b", "c")).stream()
        .map(PubSubStore.Item::id)
        .toList();
  }

  /// Items `a` and `b`, each with an attachment, of a node that keeps two.
  @BeforeEach
  void attach() {
    assertThat(
            does(
                juliet,
                "",
                "<create node='n'/><configure><x xmlns='jabber:x:data' type='submit'><field"
                    + " var='FORM_TYPE'><value>http://jabber.org/protocol/pubsub#node_config</value>"
                    + "</field><field var='pubsub#publish_model'><value>open</value></field><field"
                    + " var='pubsub#access_model'><value>open</value></field><field"
                    + " var='pubsub#max_items'><value>2</value></field></x></configure>"))
        .isTrue();
    for (String item : List.of("a", "b")) {
      assertThat(publishes(juliet, "n", item, "<x xmlns='urn:x'/>")).isTrue();
      assertThat(publishes(romeo, attachments(item), "romeo@example.org", NOTICED)).isTrue();
    }
    assertThat(nodes())
        .containsExactlyInAnyOrder("n", attachments("a"), attachments("b"), SUMMARIES);
    assertThat(summarized()).containsExactly("a", "b");
  }

  @Test
  void theyGoWithAnItemThatIsRetracted() {
    assertThat(does(juliet, "", "<retract node='n'><item id='a'/></retract>")).isTrue();
    assertThat(nodes()).containsExactlyInAnyOrder("n", attachments("b"), SUMMARIES);
    assertThat(summarized()).containsExactly("b");
  }

  @Test
  void theyGoWithAnItemForWhichThereIsNoRoom() {
    assertThat(publishes(juliet, "n", "c", "<x xmlns='urn:x'/>")).isTrue();
    assertThat(nodes()).containsExactlyInAnyOrder("n", attachments("b"), SUMMARIES);
    assertThat(summarized()).containsExactly("b");
  }

  @Test
  void theyGoWithAllItems() {
    assertThat(does(juliet, "#owner", "<purge node='n'/>")).isTrue();
    assertThat(nodes()).containsExactlyInAnyOrder("n", SUMMARIES);
    assertThat(summarized()).isEmpty();
  }

  @Test
  void theyGoWithTheNode() {
    assertThat(does(juliet, "#owner", "<delete node='n'/>")).isTrue();
    assertThat(nodes()).isEmpty();
  }

  @Test
  void theOwnerRemovesAllOfAnItem() {
    assertThat(does(romeo, "#owner", "<delete node='" + attachments("a") + "'/>")).isFalse();
    assertThat(does(juliet, "#owner", "<delete node='" + attachments("a") + "'/>")).isTrue();
    assertThat(summarized()).containsExactly("b");
  }

  @Test
  void nodesThatOthersHaveCreatedDoNotCountAsTheOwners() {
    int most = context.config().limits().pubsub().nodes();
    for (int i = 1; i < most; i++) {
      assertThat(does(juliet, "", "<create node='m" + i + "'/>")).isTrue();
    }
    assertThat(does(juliet, "", "<create node='one-more'/>")).isFalse();
  }

  /// Each change reads all attachments of an item again: they are small, and reading them counts
  /// for who has caused it.
  @Test
  void attachmentsAreSmall() {
    String padded = "<attachments xmlns='urn:xmpp:pubsub-attachments:1'><x xmlns='urn:x'>%s</x>";
    assertThat(publishes(romeo, attachments("a"), "romeo@example.org", padded(padded, 16_000)))
        .isTrue();
    assertThat(publishes(romeo, attachments("a"), "romeo@example.org", padded(padded, 17_000)))
        .isFalse();
  }

  @Test
  void readingAllAttachmentsCountsForWhoHasChangedOne() {
    context.config(
        PubSubConfigs.with(context.config(), PubSub.DEFAULTS, PubSubConfigs.notifications(1)));
    String padded = "<attachments xmlns='urn:xmpp:pubsub-attachments:1'><x xmlns='urn:x'>%s</x>";
    String large = padded(padded, 16_000);
    for (int i = 0; i < 2; i++) {
      assertThat(publishes(romeo, attachments("a"), "romeo@example.org", large)).isTrue();
    }
    assertThat(publishes(romeo, attachments("a"), "romeo@example.org", NOTICED)).isFalse();
    assertThat(publishes(juliet, attachments("a"), "juliet@example.org", NOTICED)).isTrue();
  }

  private static String padded(String payload, int length) {
    return payload.formatted("x".repeat(length)) + "</attachments>";
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "true  | <item id='romeo@example.org'>" + NOTICED + "</item>",
        "false | <item id='romeo@example.org/orchard'>" + NOTICED + "</item>",
        "false | <item>" + NOTICED + "</item>",
        "false | <item id='romeo@example.org'/>",
        "false | <item id='romeo@example.org'><attachments xmlns='urn:x'/></item>",
        "false | <item id='romeo@example.org'>"
            + NOTICED
            + "</item><item id='romeo@example.org'>"
            + NOTICED
            + "</item>",
        "false | ''"
      })
  void anAttachmentIsOneItemOfItsPublisher(boolean valid, String items) {
    assertThat(
            Attachments.isValid(
                TestXml.element(
                    "<publish xmlns='http://jabber.org/protocol/pubsub' node='n'>"
                        + items
                        + "</publish>"),
                ROMEO))
        .isEqualTo(valid);
  }
}
