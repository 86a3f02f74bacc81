package im.zonda.module.displayed;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.hook.Verdict;
import im.zonda.jid.Jid;
import im.zonda.module.disco.DiscoModule;
import im.zonda.module.mam.MamModule;
import im.zonda.module.presence.PresenceModule;
import im.zonda.module.pubsub.PubSubModule;
import im.zonda.module.roster.RosterModule;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestSession;
import im.zonda.module.testing.TestXml;
import im.zonda.store.PubSubStore;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class DisplayedModuleTest {
  private static final String NODE = "urn:xmpp:mds:displayed:0";
  private static final String MARKER = "<displayed xmlns='urn:xmpp:chat-markers:0' id='m'/>";
  private static final Jid JULIET = Jid.of("juliet@example.org");

  private final RosterModule roster = new RosterModule();
  private final DiscoModule disco = new DiscoModule();
  private final PubSubModule pubsub = new PubSubModule(roster, disco, new MamModule(roster));
  private final TestContext context =
      new TestContext()
          .install(roster, new PresenceModule(roster), disco, pubsub, new DisplayedModule(pubsub));
  private final TestSession juliet = context.bind("juliet@example.org/balcony");

  private static String displayed(String id) {
    return "<displayed xmlns='"
        + NODE
        + "'><stanza-id xmlns='urn:xmpp:sid:0' by='juliet@example.org' id='"
        + id
        + "'/></displayed>";
  }

  private void sends(String attributes, String content, String expected) {
    assertThat(
            context.sends(
                juliet, TestXml.message("<message " + attributes + ">" + content + "</message>")))
        .isInstanceOfSatisfying(
            Verdict.Replace.class,
            replaced ->
                assertThat(replaced.stanza().toElement().children().toString())
                    .isEqualTo(
                        TestXml.message("<message>" + expected + "</message>")
                            .toElement()
                            .children()
                            .toString()));
  }

  private List<String> items() {
    PubSubStore.Page page =
        context
            .stores()
            .pubSub()
            .page(JULIET, NODE, PubSubStore.Order.MODIFICATION, null, false, 100);
    return page == null
        ? List.of()
        : page.items().stream()
            .map(item -> item.id() + " " + new String(item.payload(), StandardCharsets.UTF_8))
            .toList();
  }

  @Test
  void whatIsForTheOtherClientsIsPublishedAndLeavesTheMessage() {
    sends("to='romeo@example.net'", MARKER + displayed("1"), MARKER);
    sends("to='romeo@example.net'", displayed("2") + MARKER + displayed("3"), MARKER);
    sends(
        "to='coven@r.example/hag' type='groupchat'",
        "<body>x</body>" + displayed("4"),
        "<body>x</body>");
    sends("", displayed("5"), "");
    assertThat(items())
        .hasSize(3)
        .anyMatch(each -> each.startsWith("romeo@example.net <") && each.contains("id='2'"))
        .anyMatch(each -> each.startsWith("coven@r.example/hag <") && each.contains("id='4'"))
        .anyMatch(each -> each.startsWith("juliet@example.org <") && each.contains("id='5'"));
  }

  @Test
  void otherMessagesPass() {
    assertThat(
            context.sends(
                juliet,
                TestXml.message("<message to='romeo@example.net'>" + MARKER + "</message>")))
        .isEqualTo(Verdict.pass());
    assertThat(context.stores().pubSub().count(JULIET)).isZero();
  }

  @Test
  void whatIsTooLargeIsRemovedAndNotPublished() {
    sends("to='romeo@example.net'", displayed("x".repeat(5_000)), "");
    sends(
        "to='" + "r".repeat(900) + "@" + "e".repeat(60) + ".net/" + "x".repeat(900) + "'",
        displayed("1"),
        "");
    assertThat(items()).isEmpty();
  }

  /// A node that others may read is made private first.
  @Test
  void nobodyElseMayReadTheNode() {
    context.ask(
        juliet,
        TestXml.iq(
            "<iq type='set' id='c'><pubsub xmlns='http://jabber.org/protocol/pubsub'><create node='"
                + NODE
                + "'/><configure><x xmlns='jabber:x:data' type='submit'><field var='FORM_TYPE'>"
                + "<value>http://jabber.org/protocol/pubsub#node_config</value></field>"
                + "<field var='pubsub#access_model'><value>open</value></field></x></configure>"
                + "</pubsub></iq>"));
    sends("to='romeo@example.net'", displayed("1"), "");
    PubSubStore.Stored stored = context.stores().pubSub().find(JULIET, NODE);
    assertThat(stored == null ? "" : stored.node().settings()).contains("access_model=whitelist");
  }
}
