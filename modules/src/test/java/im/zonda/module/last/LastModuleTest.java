package im.zonda.module.last;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.testing.Expect;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestSession;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.ErrorCondition;
import im.zonda.store.RosterItem;
import im.zonda.store.Subscription;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class LastModuleTest {
  private static final Jid JULIET = Jid.of("juliet@example.org");

  private final TestContext context = new TestContext().install(new LastModule());
  private final TestSession romeo = context.bind("romeo@example.org/garden");

  @Test
  void theServerTellsItsUptime() {
    context.clock().advance(Duration.ofSeconds(123_456));
    assertThat(ask("example.org")).isEqualTo(seconds(123_456));
  }

  @Test
  void aClockThatWentBackGivesNoNegativeTime() {
    context.clock().advance(Duration.ofSeconds(-10));
    assertThat(ask("example.org")).isEqualTo(seconds(0));
  }

  @ParameterizedTest
  @EnumSource(
      value = Subscription.class,
      names = {"FROM", "BOTH"})
  void aContactIsToldWhenTheLastSessionEnded(Subscription subscription) {
    subscribed(subscription);
    TestSession balcony = context.bind("juliet@example.org/balcony");
    TestSession chamber = context.bind("juliet@example.org/chamber");
    context.clock().advance(Duration.ofSeconds(100));
    context.end(balcony);
    assertThat(ask("juliet@example.org")).isEqualTo(seconds(0));
    context.end(chamber);
    context.clock().advance(Duration.ofSeconds(903));
    assertThat(ask("juliet@example.org")).isEqualTo(seconds(903));
  }

  @Test
  void anAccountThatNeverHadASessionHasNoLastOne() {
    context.account("juliet@example.org");
    subscribed(Subscription.BOTH);
    assertThat(ask("juliet@example.org")).isEqualTo(IqReply.refuse(ErrorCondition.ITEM_NOT_FOUND));
  }

  @Test
  void theOwnAccountIsThere() {
    assertThat(ask("romeo@example.org")).isEqualTo(seconds(0));
  }

  @ParameterizedTest
  @EnumSource(
      value = Subscription.class,
      names = {"NONE", "TO"})
  void row67AStrangerIsToldTheSameOfAnAccountAndOfNone(Subscription subscription) {
    subscribed(subscription);
    context.end(context.bind("juliet@example.org/balcony"));
    assertThat(ask("juliet@example.org"))
        .isEqualTo(ask("nobody@example.org"))
        .isEqualTo(IqReply.refuse(ErrorCondition.FORBIDDEN));
  }

  @Test
  void nothingIsKeptOfAnAccountThatIsGone() {
    TestSession juliet = context.bind("juliet@example.org/balcony");
    context.stores().accounts().remove(JULIET);
    context.end(juliet);
    assertThat(context.stores().keyValues("last").all(JULIET)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "soon", "99999999999999999999", "9223372036854775807"})
  void row98ATimeThatIsNoneIsNotACrash(String stored) {
    context.account("juliet@example.org");
    subscribed(Subscription.BOTH);
    byte[] bytes = stored.getBytes(StandardCharsets.US_ASCII);
    context.stores().keyValues("last").put(JULIET, "logout", bytes);
    assertThat(ask("juliet@example.org")).isEqualTo(IqReply.refuse(ErrorCondition.ITEM_NOT_FOUND));
  }

  @Test
  void row67AClientIsNotAskedByAStranger() {
    TestSession balcony = context.bind("juliet@example.org/balcony");
    subscribed(Subscription.TO);
    for (String to :
        List.of(
            "juliet@example.org/balcony", "juliet@example.org/nobody", "nobody@example.org/r")) {
      askClient(to);
      Expect.receives(
          romeo,
          "<iq type='error' id='last2' from='%s'><error type='auth'>".formatted(to)
              + "<forbidden xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></iq>");
    }
    Expect.receivesNothing(balcony);
  }

  @Test
  void aClientIsAskedByAContact() {
    TestSession balcony = context.bind("juliet@example.org/balcony");
    subscribed(Subscription.FROM);
    askClient("juliet@example.org/balcony");
    Expect.receives(
        balcony,
        "<iq type='get' id='last2' from='romeo@example.org/garden'>"
            + "<query xmlns='jabber:iq:last'/></iq>");
    askClient("juliet@example.org/nobody");
    Expect.receives(
        romeo,
        "<iq type='error' id='last2'><error type='cancel'>"
            + "<service-unavailable xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></iq>");
  }

  @Test
  void theOwnClientsAskEachOther() {
    TestSession other = context.bind("romeo@example.org/other");
    askClient("romeo@example.org/other");
    assertThat(other.takeReceived()).hasSize(1);
  }

  private void askClient(String to) {
    context.fromClient(
        romeo,
        TestXml.iq(
            "<iq type='get' id='last2' to='%s'><query xmlns='jabber:iq:last'/></iq>"
                .formatted(to)));
  }

  private void subscribed(Subscription subscription) {
    context
        .stores()
        .rosters()
        .put(
            JULIET,
            new RosterItem(
                romeo.jid().bare(), null, subscription, false, false, List.of(), null, true));
  }

  private IqReply ask(String to) {
    return context.ask(
        romeo,
        TestXml.iq(
            "<iq type='get' id='last1' to='%s'><query xmlns='jabber:iq:last'/></iq>"
                .formatted(to)));
  }

  private static IqReply seconds(long seconds) {
    return IqReply.result(
        TestXml.element("<query xmlns='jabber:iq:last' seconds='%d'/>".formatted(seconds)));
  }
}
