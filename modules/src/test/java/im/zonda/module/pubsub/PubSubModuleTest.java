package im.zonda.module.pubsub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.hook.Verdict;
import im.zonda.jid.Jid;
import im.zonda.module.ExternalComponents;
import im.zonda.module.IqReply;
import im.zonda.module.disco.DiscoModule;
import im.zonda.module.mam.MamModule;
import im.zonda.module.presence.PresenceModule;
import im.zonda.module.roster.RosterModule;
import im.zonda.module.testing.TestComponents;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestSession;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import im.zonda.store.PubSubStore;
import im.zonda.store.RosterItem;
import im.zonda.store.StoreException;
import im.zonda.store.Subscription;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class PubSubModuleTest {
  private static final String PUBSUB = "http://jabber.org/protocol/pubsub";
  private static final String CAPS =
      "<c xmlns='http://jabber.org/protocol/caps' hash='sha-1' node='http://x'"
          + " ver='rZ7Cuv6phuJn7RlYJcmoBNJYvmA='/>";
  private static final String INFO =
      "<query xmlns='http://jabber.org/protocol/disco#info'>"
          + "<identity category='client' type='pc' name='Exodus 0.9.1'/>"
          + "<feature var='http://jabber.org/protocol/disco#info'/>"
          + "<feature var='http://jabber.org/protocol/tune+notify'/></query>";
  private static final String TUNE = "http://jabber.org/protocol/tune";
  private static final Jid JULIET = Jid.of("juliet@example.org");

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
  private final TestComponents components = (TestComponents) context.port(ExternalComponents.class);

  private IqReply publish(TestSession session, String node, String id, String text) {
    return context.ask(
        session,
        TestXml.iq(
            "<iq type='set' id='p' to='juliet@example.org'><pubsub xmlns='"
                + PUBSUB
                + "'><publish node='"
                + node
                + "'><item id='"
                + id
                + "'><x xmlns='urn:x'>"
                + text
                + "</x></item></publish></pubsub></iq>"));
  }

  private IqReply items(String node) {
    return context.ask(
        juliet,
        TestXml.iq(
            "<iq type='get' id='i'><pubsub xmlns='"
                + PUBSUB
                + "'><items node='"
                + node
                + "'/></pubsub></iq>"));
  }

  private void contact(String bare, Subscription subscription) {
    context
        .stores()
        .rosters()
        .put(
            JULIET,
            new RosterItem(Jid.of(bare), null, subscription, false, false, List.of(), null, true));
  }

  /// Presence of a contact's client comes to the bare or to the full address.
  private void arrives(String from, String to, String content) {
    Presence presence =
        TestXml.presence(
            "<presence from='" + from + "' to='" + to + "'>" + content + "</presence>");
    context.arrives(presence);
  }

  private void answerCaps() {
    List<TestComponents.Request> asked = List.copyOf(components.requests);
    components.requests.clear();
    for (TestComponents.Request each : asked) {
      each.answered().accept(Iq.result(each.iq(), TestXml.element(INFO)));
    }
    context.runTasks();
  }

  private List<String> notified() {
    return context.takeSent().stream()
        .filter(stanza -> stanza.toString().contains("pubsub#event"))
        .map(Stanza::to)
        .map(String::valueOf)
        .toList();
  }

  @Test
  void nothingIsAnsweredOrSentBeforeItIsStored() {
    contact("romeo@example.net", Subscription.BOTH);
    publish(juliet, TUNE, "a", "1");
    arrives("romeo@example.net/orchard", "juliet@example.org", CAPS);
    answerCaps();
    notified();
    context.stores().fail(StoreException.Category.FULL);
    assertThatThrownBy(() -> publish(juliet, TUNE, "b", "2")).isInstanceOf(StoreException.class);
    assertThatThrownBy(() -> publish(juliet, "new", "b", "2")).isInstanceOf(StoreException.class);
    context.runTasks();
    assertThat(notified()).isEmpty();
    context.stores().fail(null);
    assertThat(items("new")).isInstanceOf(IqReply.Refuse.class);
    assertThat(items(TUNE).toString()).contains("'a'").doesNotContain("'b'");
  }

  @Test
  void aContactsClientGetsTheLastItemsOnce() {
    contact("romeo@example.net", Subscription.BOTH);
    publish(juliet, TUNE, "a", "1");
    arrives("romeo@example.net/orchard", "juliet@example.org", CAPS);
    assertThat(notified()).isEmpty(); // its features are not known yet
    answerCaps();
    assertThat(notified()).containsExactly("romeo@example.net/orchard");
    arrives("romeo@example.net/orchard", "juliet@example.org", "<show>away</show>" + CAPS);
    assertThat(notified()).isEmpty();
    // Another client with the same hash: nobody has to be asked.
    arrives("romeo@example.net/garden", "juliet@example.org", CAPS);
    assertThat(components.requests).isEmpty();
    assertThat(notified()).containsExactly("romeo@example.net/garden");
    publish(juliet, TUNE, "b", "2");
    assertThat(notified())
        .containsExactlyInAnyOrder("romeo@example.net/orchard", "romeo@example.net/garden");
    context.arrives(
        TestXml.presence(
            "<presence type='unavailable' from='romeo@example.net/garden'"
                + " to='juliet@example.org'/>"));
    publish(juliet, TUNE, "c", "3");
    assertThat(notified()).containsExactly("romeo@example.net/orchard");
  }

  /// The answer to a probe of the account's own client: the contact has been there before.
  @Test
  void theAnswerToAProbeBringsOnlyWhatIsNew() {
    PubSubStore stored = context.stores().pubSub();
    stored.save(
        new PubSubStore.Node(JULIET, TUNE, JULIET, Instant.EPOCH, ""),
        List.of(new PubSubStore.Affiliation(JULIET, "owner")),
        List.of());
    PubSubStore.Item old =
        new PubSubStore.Item("old", JULIET, Instant.EPOCH, "<x/>".getBytes(StandardCharsets.UTF_8));
    stored.publish(JULIET, TUNE, List.of(old), 1);
    contact("romeo@example.net", Subscription.BOTH);
    contact("nurse@example.net", Subscription.BOTH);
    arrives("romeo@example.net/orchard", "juliet@example.org/balcony", CAPS);
    answerCaps();
    assertThat(notified()).isEmpty();
    publish(juliet, TUNE, "a", "1");
    assertThat(notified()).containsExactly("romeo@example.net/orchard");
    arrives("nurse@example.net/chamber", "juliet@example.org/balcony", CAPS);
    assertThat(notified()).containsExactly("nurse@example.net/chamber");
  }

  @Test
  void onlyThoseWhoMaySeeThePresenceAreNotified() {
    contact("to@example.net", Subscription.TO);
    contact("from@example.net", Subscription.FROM);
    publish(juliet, TUNE, "a", "1");
    for (String user : List.of("to", "from", "stranger")) {
      arrives(user + "@example.net/x", "juliet@example.org", CAPS);
    }
    answerCaps();
    assertThat(notified()).containsExactly("from@example.net/x");
    publish(juliet, TUNE, "b", "2");
    assertThat(notified()).containsExactly("from@example.net/x");
  }

  /// A contact whose client is there already, because the account sees its presence, gets the last
  /// items when it may see the account's.
  @Test
  void aNewSubscriberWhoIsThereGetsTheLastItems() {
    contact("romeo@example.net", Subscription.TO);
    publish(juliet, TUNE, "a", "1");
    arrives("romeo@example.net/orchard", "juliet@example.org/balcony", CAPS);
    answerCaps();
    assertThat(notified()).isEmpty();
    context.arrives(
        TestXml.presence(
            "<presence type='subscribe' from='romeo@example.net' to='juliet@example.org'/>"));
    assertThat(notified()).isEmpty();
    context.sends(juliet, TestXml.presence("<presence type='subscribed' to='romeo@example.net'/>"));
    assertThat(notified()).containsExactly("romeo@example.net/orchard");
    publish(juliet, TUNE, "b", "2");
    assertThat(notified()).containsExactly("romeo@example.net/orchard");
    // The roster changes again: nothing more is sent.
    roster.rosters().put(context.home(JULIET), named("romeo@example.net"));
    context.runTasks();
    assertThat(notified()).isEmpty();
  }

  private static RosterItem named(String bare) {
    return new RosterItem(
        Jid.of(bare), "Romeo", Subscription.BOTH, false, false, List.of(), null, true);
  }

  /// A home that was loaded while contacts are there knows none of them: it asks.
  @Test
  void contactsAreAskedForTheirPresenceBeforeTheFirstNotification() {
    contact("romeo@example.net", Subscription.BOTH);
    contact("from@example.net", Subscription.FROM);
    publish(juliet, TUNE, "a", "1");
    assertThat(context.takeSent().stream().map(String::valueOf))
        .anyMatch(each -> each.contains("probe") && each.contains("romeo@example.net"))
        .noneMatch(each -> each.contains("from@example.net"));
    publish(juliet, TUNE, "b", "2");
    assertThat(context.takeSent()).isEmpty();
  }

  @Test
  void limitsHold() {
    int most = context.config().limits().pubsub().nodes();
    for (int i = 0; i < most; i++) {
      assertThat(publish(juliet, "n" + i, "a", "1")).isInstanceOf(IqReply.Result.class);
    }
    assertThat(publish(juliet, "one more", "a", "1").toString()).contains("max-nodes-exceeded");
    assertThat(publish(juliet, "n0", "a", "1")).isInstanceOf(IqReply.Result.class);
    String large = "x".repeat(context.config().limits().pubsub().itemBytes());
    assertThat(publish(juliet, "n0", "a", large).toString()).contains("payload-too-big");
    assertThat(publish(juliet, "n0", "x".repeat(1_024), "1")).isInstanceOf(IqReply.Refuse.class);
  }

  @Test
  void allItemsOfAnAccountAreBound() {
    long most = context.config().limits().pubsub().bytes();
    String large = "x".repeat(context.config().limits().pubsub().itemBytes() - 100);
    int count = 0;
    while (publish(juliet, "n" + count, "a", large) instanceof IqReply.Result) {
      count++;
      assertThat((long) count * large.length()).isLessThanOrEqualTo(most);
    }
    assertThat((count + 1L) * (large.length() + 100)).isGreaterThan(most);
  }

  @Test
  void errorsInAnswerToNotificationsGoNoFurther() {
    context.account("romeo@example.org");
    assertThat(
            context.arrives(
                TestXml.message(
                    "<message type='error' id='pubsub-1' from='romeo@example.org/x'"
                        + " to='juliet@example.org'/>")))
        .isEqualTo(Verdict.handled());
    assertThat(
            context.arrives(
                TestXml.message(
                    "<message type='error' id='1' from='romeo@example.org/x'"
                        + " to='juliet@example.org'/>")))
        .isEqualTo(Verdict.pass());
  }

  /// Only an owner decides on a subscription.
  @Test
  void aStrangerCannotApproveASubscription() {
    publish(juliet, TUNE, "a", "1");
    TestSession romeo = context.bind("romeo@example.org/orchard");
    context.ask(
        juliet,
        TestXml.iq(
            "<iq type='set' id='c'><pubsub xmlns='"
                + PUBSUB
                + "#owner'><configure node='"
                + TUNE
                + "'><x xmlns='jabber:x:data' type='submit'><field var='FORM_TYPE'><value>"
                + PUBSUB
                + "#node_config</value></field><field"
                + " var='pubsub#access_model'><value>authorize</value></field></x></configure>"
                + "</pubsub></iq>"));
    IqReply pending =
        context.ask(
            romeo,
            TestXml.iq(
                "<iq type='set' id='s' to='juliet@example.org'><pubsub xmlns='"
                    + PUBSUB
                    + "'><subscribe node='"
                    + TUNE
                    + "' jid='romeo@example.org'/></pubsub></iq>"));
    assertThat(pending.toString()).contains("pending");
    String form =
        "' to='juliet@example.org'><x xmlns='jabber:x:data' type='submit'><field"
            + " var='FORM_TYPE'><value>"
            + PUBSUB
            + "#subscribe_authorization</value></field><field var='pubsub#node'><value>"
            + TUNE
            + "</value></field><field"
            + " var='pubsub#subscriber_jid'><value>romeo@example.org</value></field><field"
            + " var='pubsub#allow'><value>1</value></field></x></message>";
    context.arrives(TestXml.message("<message from='romeo@example.org/orchard" + form));
    context.takeSent();
    publish(juliet, TUNE, "b", "2");
    assertThat(notified()).isEmpty();
    context.arrives(TestXml.message("<message from='juliet@example.org/balcony" + form));
    assertThat(notified()).containsExactly("romeo@example.org");
    publish(juliet, TUNE, "c", "3");
    assertThat(notified()).containsExactly("romeo@example.org");
  }

  /// The groups of an account's roster are for the account itself, also at nodes that others own
  /// with it.
  @Test
  void nobodyElseSeesTheGroupsOfTheRoster() {
    RosterItem romeo =
        new RosterItem(
            Jid.of("romeo@example.net"),
            null,
            Subscription.BOTH,
            false,
            false,
            List.of("Lovers"),
            null,
            true);
    long _ = context.stores().rosters().put(JULIET, romeo);
    publish(juliet, TUNE, "a", "1");
    TestSession tybalt = context.bind("tybalt@example.org/x");
    String own =
        "<affiliations node='"
            + TUNE
            + "'><affiliation jid='tybalt@example.org' affiliation='owner'/></affiliations>";
    IqReply made = owner(juliet, "set", own);
    assertThat(made).isInstanceOf(IqReply.Result.class);
    for (String request : List.of("<default/>", "<configure node='" + TUNE + "'/>")) {
      assertThat(owner(juliet, "get", request).toString()).contains("Lovers");
      assertThat(owner(tybalt, "get", request).toString())
          .contains("node_config")
          .doesNotContain("Lovers");
    }
  }

  /// The access model `roster`, which accounts say that they have.
  @Test
  void whoIsInTheGroupHasAccess() {
    RosterItem romeo =
        new RosterItem(
            Jid.of("romeo@example.org"),
            null,
            Subscription.FROM,
            false,
            false,
            List.of("Lovers"),
            null,
            true);
    long _ = context.stores().rosters().put(JULIET, romeo);
    contact("tybalt@example.org", Subscription.BOTH);
    publish(juliet, TUNE, "a", "1");
    String configuration =
        "<configure node='%s'><x xmlns='jabber:x:data' type='submit'><field var='FORM_TYPE'><value>"
            + PUBSUB
            + "#node_config</value></field><field var='pubsub#access_model'><value>roster</value>"
            + "</field><field var='pubsub#roster_groups_allowed'><value>Lovers</value></field></x>"
            + "</configure>";
    assertThat(owner(juliet, "set", configuration.formatted(TUNE)))
        .isInstanceOf(IqReply.Result.class);
    String items =
        "<iq type='get' id='i' to='juliet@example.org'><pubsub xmlns='%s'><items node='%s'/>"
                .formatted(PUBSUB, TUNE)
            + "</pubsub></iq>";
    assertThat(context.ask(context.bind("romeo@example.org/x"), TestXml.iq(items)).toString())
        .contains("'a'");
    assertThat(context.ask(context.bind("tybalt@example.org/x"), TestXml.iq(items)).toString())
        .contains("not-in-roster-group");
  }

  private IqReply owner(TestSession session, String type, String request) {
    return context.ask(
        session,
        TestXml.iq(
            "<iq type='%s' id='o' to='juliet@example.org'><pubsub xmlns='%s#owner'>%s</pubsub></iq>"
                .formatted(type, PUBSUB, request)));
  }
}
