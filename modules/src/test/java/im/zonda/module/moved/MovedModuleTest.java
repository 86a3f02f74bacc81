package im.zonda.module.moved;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.hook.Verdict;
import im.zonda.jid.Jid;
import im.zonda.module.presence.PresenceModule;
import im.zonda.module.roster.RosterModule;
import im.zonda.module.testing.Expect;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestSession;
import im.zonda.module.testing.TestXml;
import im.zonda.store.RosterItem;
import im.zonda.store.Subscription;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MovedModuleTest {
  private static final Jid ROMEO = Jid.of("romeo@example.org");
  private static final Jid OLD = Jid.of("juliet@im.example.net");
  private static final Jid NEW = Jid.of("juliet@capulet.example");
  private static final String STATEMENT =
      "<pubsub xmlns='http://jabber.org/protocol/pubsub'><items node='urn:xmpp:moved:1'><item"
          + " id='current'><moved xmlns='urn:xmpp:moved:1'><new-jid>juliet@capulet.example</new-jid>"
          + "</moved></item></items></pubsub>";

  private final RosterModule roster = new RosterModule();
  private final PresenceModule presence = new PresenceModule(roster);
  private final MovedModule moved = new MovedModule(roster, presence);
  private final TestContext context = new TestContext().install(roster, presence, moved);
  private final TestSession romeo = context.bind("romeo@example.org/orchard");

  private void knows(Subscription subscription) {
    roster
        .rosters()
        .put(
            context.home(ROMEO),
            new RosterItem(OLD, "Juliet", subscription, false, false, List.of(), null, true));
    becomesAvailable(romeo);
    romeo.takeReceived();
    context.takeSent();
  }

  private void becomesAvailable(TestSession session) {
    context.fromClient(session, TestXml.presence("<presence/>"));
  }

  private Verdict requests(String content) {
    return context.arrives(
        TestXml.presence(
            "<presence type='subscribe' id='sub1' from='juliet@capulet.example'"
                + " to='romeo@example.org'>"
                + content
                + "</presence>"));
  }

  private static String notification(String old) {
    return "<moved xmlns='urn:xmpp:moved:1'><old-jid>" + old + "</old-jid></moved>";
  }

  /// Sends a notification, and returns the identifier of the request to the old account.
  private String asked() {
    requests(notification(OLD.toString()));
    return Objects.requireNonNull(
        context.takeSent().getFirst().toElement().attribute("id"), "no request");
  }

  private Verdict answers(String from, String type, String id, String content) {
    return context.arrives(
        TestXml.iq(
            "<iq type='"
                + type
                + "' id='"
                + id
                + "' from='"
                + from
                + "' to='romeo@example.org'>"
                + content
                + "</iq>"));
  }

  private boolean isPending() {
    RosterItem item = roster.rosters().of(context.home(ROMEO)).find(NEW);
    return item != null && item.request() != null;
  }

  /// The subscription requests that Romeo's client has received since the last call.
  private long delivered() {
    return romeo.takeReceived().stream()
        .filter(each -> "subscribe".equals(each.toElement().attribute("type")))
        .count();
  }

  private Subscription subscription(Jid contact) {
    RosterItem item = roster.rosters().of(context.home(ROMEO)).find(contact);
    return item == null ? Subscription.NONE : item.subscription();
  }

  @Test
  void theOldAccountIsAskedAndTheNewAddressApproved() {
    knows(Subscription.FROM);
    requests(notification(OLD.toString()));
    Expect.sent(
        context,
        "<iq type='get' id='moved-id-1' from='romeo@example.org' to='juliet@im.example.net'><pubsub"
            + " xmlns='http://jabber.org/protocol/pubsub'><items node='urn:xmpp:moved:1'><item"
            + " id='current'/></items></pubsub></iq>");
    assertThat(isPending()).isTrue();
    assertThat(delivered()).isZero();
    assertThat(answers(OLD.toString(), "result", "moved-id-1", STATEMENT))
        .isEqualTo(Verdict.handled());
    assertThat(subscription(NEW)).isEqualTo(Subscription.FROM);
    assertThat(isPending()).isFalse();
    assertThat(subscription(OLD)).isEqualTo(Subscription.NONE);
    Expect.sent(
        context,
        "<presence type='subscribed' from='romeo@example.org' to='juliet@capulet.example'/>",
        "<presence from='romeo@example.org/orchard' to='juliet@capulet.example'/>",
        "<presence type='unavailable' from='romeo@example.org/orchard' to='juliet@im.example.net'/>",
        "<presence type='unsubscribed' from='romeo@example.org' to='juliet@im.example.net'/>");
  }

  @Test
  void thePresenceOfTheNewAddressIsRequestedIfThatOfTheOldOneWasSeen() {
    knows(Subscription.BOTH);
    answers(OLD.toString(), "result", asked(), STATEMENT);
    assertThat(subscription(OLD)).isEqualTo(Subscription.TO);
    assertThat(context.takeSent().getLast().toElement().attribute("type")).isEqualTo("subscribe");
  }

  @Test
  void anAccountThatIsGoneNamesTheNewAddressInItsError() {
    knows(Subscription.FROM);
    answers(
        OLD.toString(),
        "error",
        asked(),
        "<error type='cancel'><gone xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'>"
            + "xmpp:juliet@capulet.example</gone></error>");
    assertThat(subscription(NEW)).isEqualTo(Subscription.FROM);
  }

  @Test
  void anAnswerThatDoesNotConfirmItMakesItARequestLikeAnyOther() {
    knows(Subscription.FROM);
    answers(
        OLD.toString(), "result", asked(), STATEMENT.replace("juliet@capulet", "tybalt@capulet"));
    assertThat(isPending()).isTrue();
    assertThat(delivered()).isEqualTo(1);
    assertThat(subscription(OLD)).isEqualTo(Subscription.FROM);
  }

  @Test
  void anAnswerOfAnotherAddressIsNone() {
    knows(Subscription.FROM);
    String id = asked();
    assertThat(answers("tybalt@capulet.example", "result", id, STATEMENT))
        .isEqualTo(Verdict.pass());
    assertThat(subscription(NEW)).isEqualTo(Subscription.NONE);
    timeIsUp();
    assertThat(delivered()).isEqualTo(1);
    assertThat(isPending()).isTrue();
    answers(OLD.toString(), "result", id, STATEMENT);
    assertThat(subscription(NEW)).isEqualTo(Subscription.NONE);
  }

  private void timeIsUp() {
    context.clock().advance(Duration.ofSeconds(31));
    context.runTasks();
  }

  @Test
  void aClientThatBecomesAvailableMeanwhileGetsTheRequestOnce() {
    knows(Subscription.FROM);
    asked();
    context.fromClient(romeo, TestXml.presence("<presence type='unavailable'/>"));
    becomesAvailable(romeo);
    assertThat(delivered()).isZero();
    timeIsUp();
    assertThat(delivered()).isEqualTo(1);
  }

  @Test
  void aServerThatWasKilledMeanwhileHasTheRequest() {
    knows(Subscription.FROM);
    asked();
    moved.stop();
    TestSession next = context.bind("romeo@example.org/balcony");
    becomesAvailable(next);
    assertThat(next.takeReceived())
        .anySatisfy(each -> assertThat(each.toElement().child(MovedStatement.MOVED)).isNotNull());
  }

  @Test
  void aRequestThatIsRepeatedOrWithdrawnIsNotDeliveredForIt() {
    knows(Subscription.FROM);
    asked();
    requests(notification(OLD.toString()));
    assertThat(context.takeSent()).isEmpty();
    context.arrives(
        TestXml.presence(
            "<presence type='unsubscribe' from='juliet@capulet.example' to='romeo@example.org'/>"));
    timeIsUp();
    assertThat(delivered()).isZero();
    assertThat(isPending()).isFalse();
  }

  @Test
  void aRequestThatClientsKnowIsNotDeliveredAgain() {
    knows(Subscription.FROM);
    requests("");
    assertThat(delivered()).isEqualTo(1);
    asked();
    timeIsUp();
    assertThat(delivered()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"NONE", "TO"})
  void theNotificationOfWhoDoesNotSeeTheUserIsIgnored(String subscription) {
    knows(Subscription.valueOf(subscription));
    requests(notification(OLD.toString()));
    assertThat(isPending()).isTrue();
    assertThat(context.takeSent()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "<moved xmlns='urn:xmpp:moved:1'/>",
        "<moved xmlns='urn:xmpp:moved:1'><old-jid>juliet@im.example.net/x</old-jid></moved>",
        "<moved xmlns='urn:xmpp:moved:1'><old-jid>@</old-jid></moved>"
      })
  void aNotificationThatIsNotValidIsIgnored(String content) {
    knows(Subscription.FROM);
    requests(content);
    assertThat(isPending()).isTrue();
    assertThat(context.takeSent()).isEmpty();
  }

  @Test
  void onlyAFewWaitAtATime() {
    knows(Subscription.FROM);
    for (int i = 0; i < 6; i++) {
      context.arrives(
          TestXml.presence(
              "<presence type='subscribe' from='j"
                  + i
                  + "@capulet.example' to='romeo@example.org'>"
                  + notification(OLD.toString())
                  + "</presence>"));
    }
    assertThat(context.takeSent()).hasSize(5);
    RosterItem sixth = roster.rosters().of(context.home(ROMEO)).find(Jid.of("j5@capulet.example"));
    assertThat(sixth).isNotNull();
  }
}
