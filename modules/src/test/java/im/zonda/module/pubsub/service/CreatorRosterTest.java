package im.zonda.module.pubsub.service;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestHome;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.Iq;
import im.zonda.store.RosterItem;
import im.zonda.store.Subscription;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Whose roster counts at the service: that of a node's creator, never that of whom someone else
/// makes an owner. Juliet has Romeo in the group `Lovers`.
class CreatorRosterTest {
  private static final String PUBSUB = "http://jabber.org/protocol/pubsub";
  private static final String JULIET = "juliet@example.org";
  private static final String ROMEO = "romeo@example.org";
  private static final String TYBALT = "tybalt@example.org";

  private final TestContext context = new TestContext();

  @BeforeEach
  void install() {
    context.install(new PubSubServiceModule());
    Jid juliet = Jid.of(JULIET);
    TestHome _ = context.account(JULIET);
    RosterItem romeo =
        new RosterItem(
            Jid.of(ROMEO), null, Subscription.BOTH, false, false, List.of("Lovers"), null, true);
    long _ = context.stores().rosters().put(juliet, romeo);
  }

  private String ask(String user, String type, String namespace, String request) {
    context
        .host()
        .toService(
            TestXml.iq(
                "<iq id='1' type='%s' from='%s/x' to='pubsub.example.org'><pubsub xmlns='%s%s'>%s"
                        .formatted(type, user, PUBSUB, namespace, request)
                    + "</pubsub></iq>"));
    return context.takeSent().stream()
        .filter(Iq.class::isInstance)
        .findFirst()
        .orElseThrow()
        .toString();
  }

  private static String configuration(String model, String groups) {
    return "<x xmlns='jabber:x:data' type='submit'><field var='FORM_TYPE'><value>"
        + PUBSUB
        + "#node_config</value></field><field var='pubsub#access_model'><value>"
        + model
        + "</value></field>"
        + groups
        + "</x>";
  }

  private static String group(String name) {
    return "<field var='pubsub#roster_groups_allowed'><value>" + name + "</value></field>";
  }

  private String create(String user, String node, String model) {
    return ask(
        user,
        "set",
        "",
        "<create node='%s'/><configure>%s</configure>"
            .formatted(node, configuration(model, group("Lovers"))));
  }

  private String own(String user, String node, String newOwner) {
    return ask(
        user,
        "set",
        "#owner",
        "<affiliations node='%s'><affiliation jid='%s' affiliation='owner'/></affiliations>"
            .formatted(node, newOwner));
  }

  private String subscribe(String user, String node) {
    return ask(user, "set", "", "<subscribe node='%s' jid='%s'/>".formatted(node, user));
  }

  private String form(String user, String node) {
    return ask(user, "get", "#owner", "<configure node='" + node + "'/>");
  }

  @Test
  void theRosterOfAnOwnerWhoIsNotTheCreatorDecidesNothing() {
    for (String model : new String[] {"presence", "roster"}) {
      assertThat(create(TYBALT, model, model)).contains("'result'");
      assertThat(own(TYBALT, model, JULIET)).contains("'result'");
      assertThat(subscribe(ROMEO, model)).contains("not-authorized");
    }
    assertThat(ask(TYBALT, "set", "", "<create node='n'/>")).contains("'result'");
    assertThat(own(TYBALT, "n", JULIET)).contains("'result'");
    assertThat(form(TYBALT, "n")).contains("'result'").doesNotContain("Lovers");
    assertThat(form(JULIET, "n")).contains("'result'").doesNotContain("Lovers");
  }

  @Test
  void theRosterOfTheCreatorDecides() {
    for (String model : new String[] {"presence", "roster"}) {
      assertThat(create(JULIET, model, model)).contains("'result'");
      assertThat(subscribe(ROMEO, model)).contains("'subscribed'");
      assertThat(subscribe(TYBALT, model)).contains("not-authorized");
    }
    assertThat(form(JULIET, "presence")).contains("<option label='Lovers'");
    assertThat(ask(JULIET, "get", "#owner", "<default/>")).contains("<option label='Lovers'");
    assertThat(ask(TYBALT, "get", "#owner", "<default/>")).doesNotContain("Lovers");
  }

  /// Another owner can neither ask the creator's roster nor see it.
  @Test
  void onlyTheCreatorChoosesFromTheRoster() {
    assertThat(create(JULIET, "n", "open")).contains("'result'");
    assertThat(own(JULIET, "n", TYBALT)).contains("'result'");
    assertThat(form(TYBALT, "n")).contains("'result'");
    for (String model : new String[] {"presence", "roster"}) {
      String request =
          "<configure node='n'>" + configuration(model, group("Lovers")) + "</configure>";
      assertThat(ask(TYBALT, "set", "#owner", request))
          .contains("not-acceptable")
          .contains("unsupported-access-model");
      assertThat(ask(JULIET, "set", "#owner", request)).contains("'result'");
      assertThat(ask(TYBALT, "set", "#owner", request)).contains("'result'"); // no change
      assertThat(ask(TYBALT, "set", "#owner", request.replace("Lovers", "Family")))
          .contains("not-acceptable");
      String open = "<configure node='n'>" + configuration("open", "") + "</configure>";
      assertThat(ask(TYBALT, "set", "#owner", open)).contains("'result'");
    }
  }

  /// A creator who is not an owner any more does not decide on access.
  @Test
  void aCreatorWhoIsNoOwnerAnyMoreDoesNotDecide() {
    assertThat(create(JULIET, "n", "presence")).contains("'result'");
    assertThat(own(JULIET, "n", TYBALT)).contains("'result'");
    String removal =
        "<affiliations node='n'><affiliation jid='%s' affiliation='none'/></affiliations>"
            .formatted(JULIET);
    assertThat(ask(TYBALT, "set", "#owner", removal)).contains("'result'");
    assertThat(subscribe(ROMEO, "n")).contains("not-authorized");
  }

  /// Attachments are open to those who have access to their target.
  @Test
  void attachmentsHaveTheRosterOfTheirTarget() {
    assertThat(create(JULIET, "n", "presence")).contains("'result'");
    String publish = "<publish node='n'><item id='a'><x xmlns='u'/></item></publish>";
    assertThat(ask(JULIET, "set", "", publish)).contains("'result'");
    String node = "urn:xmpp:pubsub-attachments:1/xmpp:pubsub.example.org?;node=n;item=a";
    String attach =
        "<publish node='%s'><item id='%s'><attachments xmlns='urn:xmpp:pubsub-attachments:1'>"
                .formatted(node, JULIET)
            + "<noticed/></attachments></item></publish>";
    assertThat(ask(JULIET, "set", "", attach)).contains("'result'");
    assertThat(subscribe(ROMEO, node)).contains("'subscribed'");
    assertThat(subscribe(TYBALT, node)).contains("not-authorized");
    assertThat(subscribe(ROMEO, "urn:xmpp:pubsub-attachments:summary:1/n"))
        .contains("'subscribed'");
  }
}
