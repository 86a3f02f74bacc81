package im.zonda.module.pubsub.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.config.PubSub;
import im.zonda.config.limits.PubSubLimits;
import im.zonda.jid.Jid;
import im.zonda.module.pubsub.PubSubConfigs;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.Stanza;
import im.zonda.store.PubSubStore;
import im.zonda.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PubSubServiceTest {
  private static final Jid SERVICE = Jid.of("pubsub.example.org");
  private static final String PUBSUB = "http://jabber.org/protocol/pubsub";
  private static final String HAMLET = "hamlet@example.org";
  private static final String FRANCISCO = "francisco@example.org";

  private final TestContext context = new TestContext();

  private void install(PubSub settings, PubSubLimits limits) {
    context
        .config(PubSubConfigs.with(context.config(), settings, limits))
        .install(new PubSubServiceModule());
  }

  private void install() {
    install(PubSub.DEFAULTS, PubSubLimits.DEFAULTS);
  }

  private PubSubStore store() {
    return context.stores().pubSub();
  }

  /// What the service sends because of a request; the answer is the first one.
  private List<Stanza> ask(String user, String type, String namespace, String request) {
    context
        .host()
        .toService(
            TestXml.iq(
                "<iq id='1' type='"
                    + type
                    + "' from='"
                    + user
                    + "/x' to='"
                    + SERVICE
                    + "'><pubsub xmlns='"
                    + PUBSUB
                    + namespace
                    + "'>"
                    + request
                    + "</pubsub></iq>"));
    return context.takeSent();
  }

  private String change(String user, String request) {
    return ask(user, "set", "", request).getFirst().toString();
  }

  private static String item(String id, String text) {
    return "<item id='" + id + "'><x xmlns='urn:x'>" + text + "</x></item>";
  }

  private static String publish(String node, String id) {
    return "<publish node='" + node + "'>" + item(id, "1") + "</publish>";
  }

  private static String subscribe(String node, String user) {
    return "<subscribe node='" + node + "' jid='" + user + "'/>";
  }

  private static String form(String kind, String field, String value) {
    return "<x xmlns='jabber:x:data' type='submit'><field var='FORM_TYPE'><value>"
        + PUBSUB
        + "#"
        + kind
        + "</value></field><field var='pubsub#"
        + field
        + "'><value>"
        + value
        + "</value></field></x>";
  }

  /// What was answered with a result is there: whatever cannot be stored has no result, sends no
  /// notification, and changes nothing.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''     | <create node='new'/>",
        "''     | <create/>",
        "''     | <publish node='new'><item id='b'><x xmlns='urn:x'/></item></publish>",
        "''     | <publish node='n'><item id='b'><x xmlns='urn:x'/></item></publish>",
        "''     | <retract node='n' notify='1'><item id='a'/></retract>",
        "''     | <subscribe node='n' jid='hamlet@example.org'/>",
        "#owner | <purge node='n'/>",
        "#owner | <delete node='n'/>",
        "#owner | <affiliations node='n'><affiliation jid='x@y' affiliation='member'/>"
            + "</affiliations>",
        "#owner | <subscriptions node='n'><subscription jid='x@example.org' subscription='subscribed'/>"
            + "</subscriptions>"
      })
  void nothingIsAnsweredBeforeItIsStored(String namespace, String request) {
    install();
    change(HAMLET, publish("n", "a"));
    change(FRANCISCO, subscribe("n", FRANCISCO));
    PubSubStore.Stored before = store().find(SERVICE, "n");
    context.stores().fail(StoreException.Category.FULL);
    assertThatThrownBy(() -> ask(HAMLET, "set", namespace, request))
        .isInstanceOf(StoreException.class);
    assertThat(context.takeSent()).isEmpty();
    context.stores().fail(null);
    assertThat(store().find(SERVICE, "n")).isEqualTo(before);
    assertThat(store().count(SERVICE)).isEqualTo(1);
    assertThat(ask(HAMLET, "set", namespace, request).getFirst().toString()).contains("'result'");
  }

  /// The home of a node is loaded again from the store and knows the same.
  @Test
  void anotherHomeOfANodeKnowsTheSame() {
    install();
    change(HAMLET, publish("n", "a"));
    change(FRANCISCO, subscribe("n", FRANCISCO));
    TestContext other = new TestContext();
    PubSubStore.Stored stored = Objects.requireNonNull(store().find(SERVICE, "n"));
    other.stores().pubSub().save(stored.node(), stored.affiliations(), stored.subscriptions());
    other.install(new PubSubServiceModule());
    other
        .host()
        .toService(
            TestXml.iq(
                "<iq id='1' type='set' from='hamlet@example.org/x' to='pubsub.example.org'><pubsub"
                    + " xmlns='"
                    + PUBSUB
                    + "'>"
                    + publish("n", "b")
                    + "</pubsub></iq>"));
    assertThat(other.takeSent().stream().map(Stanza::to).map(String::valueOf))
        .containsExactly("hamlet@example.org/x", FRANCISCO);
  }

  @Test
  void aLeaseEnds() {
    install();
    change(HAMLET, publish("n", "a"));
    String end = context.clock().instant().plusSeconds(60).toString();
    String options = "<options>" + form("subscribe_options", "expire", end) + "</options>";
    assertThat(change(FRANCISCO, subscribe("n", FRANCISCO) + options)).contains("'subscribed'");
    assertThat(ask(FRANCISCO, "get", "", "<subscriptions/>").toString()).contains("'subscribed'");
    context.clock().advance(Duration.ofSeconds(59));
    assertThat(ask(HAMLET, "set", "", publish("n", "b"))).hasSize(2);
    context.clock().advance(Duration.ofSeconds(1));
    assertThat(ask(FRANCISCO, "get", "", "<subscriptions/>").toString())
        .doesNotContain("'subscribed'");
    List<Stanza> sent = ask(HAMLET, "set", "", publish("n", "c"));
    assertThat(sent).hasSize(2);
    assertThat(sent.getLast().toString()).contains("subscription='none'").contains(FRANCISCO);
    assertThat(store().subscriptionsOf(SERVICE, Jid.of(FRANCISCO), null, 10)).isEmpty();
    assertThat(ask(HAMLET, "set", "", publish("n", "d"))).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({
    "EVERYONE, crone@example.org, true",
    "EVERYONE, crone@example.net, true",
    "ACCOUNTS, crone@example.org, true",
    "ACCOUNTS, crone@example.net, false",
    "ADMINS, crone@example.org, false",
    "ADMINS, admin@example.org, true"
  })
  void usersMayCreateNodesAsConfigured(PubSub.Creation creation, String user, boolean may) {
    install(new PubSub("pubsub", creation, List.of("admin@example.org")), PubSubLimits.DEFAULTS);
    assertThat(change(user, "<create node='n'/>").contains("'result'")).isEqualTo(may);
    assertThat(change(user, "<create/>").contains("'result'")).isEqualTo(may);
    assertThat(change(user, publish("auto", "a")).contains("'result'")).isEqualTo(may);
    assertThat(store().count(SERVICE)).isEqualTo(may ? 3 : 0);
  }

  @Test
  void adminsOwnEveryNode() {
    install(
        new PubSub("pubsub", PubSub.Creation.ACCOUNTS, List.of("admin@example.org")),
        PubSubLimits.DEFAULTS);
    change(HAMLET, "<create node='n'/>");
    String delete = "<delete node='n'/>";
    assertThat(ask(FRANCISCO, "set", "#owner", delete).toString()).contains("forbidden");
    assertThat(ask("admin@example.org", "set", "#owner", delete).toString()).contains("'result'");
  }

  private static PubSubLimits limits(int nodes, long bytes, int ofNode, int ofAll, int ofUser) {
    PubSubLimits usual = PubSubLimits.DEFAULTS;
    return new PubSubLimits(
        usual.nodes(),
        usual.items(),
        usual.itemBytes(),
        usual.bytes(),
        usual.subscriptions(),
        nodes,
        bytes,
        ofNode,
        ofAll,
        ofUser,
        20);
  }

  /// The one who has too much is limited, and nobody else.
  @Test
  void limitsHold() {
    install(PubSub.DEFAULTS, limits(2, 5_000, 3, 5, 2));
    for (String node : List.of("a", "b")) {
      assertThat(change(HAMLET, "<create node='" + node + "'/>")).contains("'result'");
    }
    assertThat(change(HAMLET, "<create node='c'/>")).contains("max-nodes-exceeded");
    assertThat(change(HAMLET, publish("c", "i"))).contains("max-nodes-exceeded");
    assertThat(change(FRANCISCO, "<create node='c'/>")).contains("'result'");

    String large = "<publish node='b'>" + item("i", "x".repeat(4_900)) + "</publish>";
    assertThat(change(HAMLET, large)).contains("'result'");
    assertThat(change(HAMLET, large.replace("'b'", "'a'"))).contains("resource-constraint");
    assertThat(change(FRANCISCO, large.replace("'b'", "'c'"))).contains("'result'");

    for (String node : List.of("a", "b")) {
      assertThat(change(FRANCISCO, subscribe(node, FRANCISCO))).contains("'subscribed'");
    }
    assertThat(change(FRANCISCO, subscribe("c", FRANCISCO))).contains("too-many-subscriptions");
    assertThat(change(HAMLET, subscribe("a", HAMLET))).contains("'subscribed'");
    String late = "late@example.org";
    assertThat(change(late, subscribe("a", late))).contains("too-many-subscriptions");
    // Five subscriptions and affiliations at all nodes of one creator.
    assertThat(change(late, subscribe("b", late))).contains("too-many-subscriptions");
    assertThat(change(late, subscribe("c", late))).contains("'subscribed'");
    change(HAMLET, "<unsubscribe node='a' jid='" + HAMLET + "'/>");
    assertThat(change(late, subscribe("b", late))).contains("'subscribed'");
  }

  /// One publication passes; the next ones of the same user wait, those of others do not.
  @Test
  void whoCausesTooManyNotificationsWaits() {
    install(PubSub.DEFAULTS, limits(9, 1 << 20, 300, 900, 9));
    change(HAMLET, "<create node='n'/>");
    change(FRANCISCO, "<create node='m'/>");
    for (int i = 0; i < 101; i++) {
      String user = "u" + i + "@example.net";
      assertThat(change(user, subscribe("n", user))).contains("'subscribed'");
    }
    assertThat(change("u1@example.net", subscribe("m", "u1@example.net"))).contains("'subscribed'");
    assertThat(change(HAMLET, publish("n", "a"))).contains("'result'");
    for (String request :
        List.of(publish("n", "b"), "<retract node='n'><item id='a'/></retract>")) {
      assertThat(change(HAMLET, request)).contains("resource-constraint").contains("type='wait'");
    }
    for (String request : List.of("<purge node='n'/>", "<delete node='n'/>")) {
      assertThat(ask(HAMLET, "set", "#owner", request).getFirst().toString())
          .contains("resource-constraint");
    }
    assertThat(store().find(SERVICE, "n"))
        .isNotNull()
        .extracting(each -> each.items())
        .isEqualTo(1);
    assertThat(change(FRANCISCO, publish("m", "a"))).contains("'result'");
    context.clock().advance(Duration.ofSeconds(1));
    assertThat(change(HAMLET, publish("n", "b"))).contains("'result'");
  }

  /// Users of other servers subscribe themselves; those of the host do not have more subscriptions
  /// than they may have.
  @Test
  void anOwnerSubscribesNobodyElsewhere() {
    install(PubSub.DEFAULTS, limits(9, 1 << 20, 300, 900, 2));
    for (String node : List.of("a", "b", "c")) {
      change(HAMLET, "<create node='" + node + "'/>");
    }
    String other = "x@example.net";
    assertThat(subscribeOther("a", other)).contains("not-acceptable");
    assertThat(store().subscriptionsOf(SERVICE, Jid.of(other), null, 9)).isEmpty();
    assertThat(change(other, subscribe("a", other))).contains("'subscribed'");
    assertThat(subscribeOther("a", other)).contains("'result'"); // no change
    assertThat(subscribeOther("a", FRANCISCO)).contains("'result'");
    assertThat(subscribeOther("b", FRANCISCO)).contains("'result'");
    assertThat(subscribeOther("c", FRANCISCO)).contains("policy-violation");
    assertThat(store().countSubscriptions(SERVICE, Jid.of(FRANCISCO))).isEqualTo(2);
  }

  private String subscribeOther(String node, String user) {
    return ask(
            HAMLET,
            "set",
            "#owner",
            "<subscriptions node='%s'><subscription jid='%s' subscription='subscribed'/></subscriptions>"
                .formatted(node, user))
        .getFirst()
        .toString();
  }

  /// A repeated request makes no second subscription, so that no identifier is needed to end it.
  @Test
  void aSubscriptionThatIsRequestedAgainIsTheSame() {
    install();
    change(HAMLET, publish("n", "a"));
    String first = change(FRANCISCO, subscribe("n", FRANCISCO));
    assertThat(first).contains("'subscribed'");
    List<Stanza> again = ask(FRANCISCO, "set", "", subscribe("n", FRANCISCO));
    assertThat(again).hasSize(1); // and the last item is not sent again
    assertThat(again.getFirst().toString()).isEqualTo(first);
    assertThat(change(FRANCISCO, "<unsubscribe node='n' jid='" + FRANCISCO + "'/>"))
        .contains("'result'");
    assertThat(store().countSubscriptions(SERVICE, Jid.of(FRANCISCO))).isZero();
  }

  /// Users who may publish only because anyone may cannot replace the items of others.
  @ParameterizedTest
  @CsvSource({"none, false", "publish-only, false", "publisher, true", "owner, true"})
  void itemsOfOthersAreReplacedByThoseWhoAreTrusted(String affiliation, boolean may) {
    install();
    String options = form("node_config", "publish_model", "open");
    change(HAMLET, "<create node='n'/><configure>" + options + "</configure>");
    change("bernardo@example.org", publish("n", "a"));
    String affiliate =
        "<affiliations node='n'><affiliation jid='%s' affiliation='%s'/></affiliations>"
            .formatted(FRANCISCO, affiliation);
    assertThat(ask(HAMLET, "set", "#owner", affiliate).getFirst().toString()).contains("'result'");
    String both = "<publish node='n'>" + item("b", "1") + item("a", "2") + "</publish>";
    assertThat(change(FRANCISCO, both)).contains(may ? "'result'" : "forbidden");
    assertThat(store().publishers(SERVICE, "n", List.of("a", "b"))).hasSize(may ? 2 : 1);
    assertThat(change(FRANCISCO, publish("n", "c"))).contains("'result'");
    assertThat(change(FRANCISCO, publish("n", "c"))).contains("'result'"); // their own
  }

  /// Payloads have the namespaces that they use when they are stored and sent: the items of a small
  /// request could be large together.
  @Test
  void whatARequestPublishesIsNotMuchLargerThanTheRequest() {
    install();
    String options = form("node_config", "max_items", "max");
    change(HAMLET, "<create node='n'/><configure>" + options + "</configure>");
    assertThat(change(HAMLET, batch(400))).contains("'result'");
    assertThat(change(HAMLET, batch(600))).contains("not-acceptable").contains("payload-too-big");
    PubSubStore.Stored stored = Objects.requireNonNull(store().find(SERVICE, "n"));
    assertThat(stored.items()).isEqualTo(400);
  }

  private static String batch(int items) {
    StringBuilder batch = new StringBuilder("<publish node='n' xmlns:p='");
    batch.append("u".repeat(1_000)).append("'>");
    for (int i = 0; i < items; i++) {
      batch.append("<item id='").append(i).append("'><p:x/></item>");
    }
    return batch.append("</publish>").toString();
  }

  /// Requests for approval go to a few owners.
  @Test
  void fewOwnersAreAsked() {
    install(PubSub.DEFAULTS, limits(9, 1 << 20, 300, 900, 9));
    String options = form("node_config", "access_model", "authorize");
    change(HAMLET, "<create node='n'/><configure>" + options + "</configure>");
    StringBuilder owners = new StringBuilder("<affiliations node='n'>");
    for (int i = 0; i < 100; i++) {
      owners.append("<affiliation jid='a" + i + "@example.net' affiliation='owner'/>");
    }
    String made = ask(HAMLET, "set", "#owner", owners + "</affiliations>").getFirst().toString();
    assertThat(made).contains("'result'");
    List<Stanza> sent = ask(FRANCISCO, "set", "", subscribe("n", FRANCISCO));
    assertThat(sent).hasSize(17);
    assertThat(sent.stream().map(Stanza::to)).contains(Jid.of(HAMLET));
  }

  @Test
  void whoKnowsTheAddressOfAHomeLearnsNothing() {
    install();
    change(HAMLET, publish("n", "a"));
    context
        .host()
        .toService(
            TestXml.iq(
                "<iq id='1' type='get' from='hamlet@example.org/x' to='n@pubsub.example.org'>"
                    + "<pubsub xmlns='"
                    + PUBSUB
                    + "'><items node='n'/></pubsub></iq>"));
    assertThat(context.takeSent().toString()).contains("item-not-found");
  }

  @Test
  void errorsAndPresenceHaveNoAnswer() {
    install();
    for (String stanza :
        List.of(
            "<message type='error' from='a@b/c' to='pubsub.example.org' id='pubsub-1'/>",
            "<presence type='subscribe' from='a@b' to='pubsub.example.org'/>",
            "<iq type='result' id='1' from='a@b/c' to='pubsub.example.org'/>")) {
      context.host().toService(TestXml.stanza(stanza));
    }
    assertThat(context.takeSent()).isEmpty();
    context.host().toService(TestXml.stanza("<message from='a@b/c' to='pubsub.example.org'/>"));
    assertThat(context.takeSent().toString()).contains("service-unavailable");
  }
}
