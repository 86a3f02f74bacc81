package im.zonda.module.strangers;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.S2s.Strangers;
import im.zonda.hook.Verdict;
import im.zonda.jid.Jid;
import im.zonda.module.testing.Expect;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.StanzaError;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// How many messages of strangers are held, and how long.
class HeldBoundsTest {
  private final HoldingHost host = new HoldingHost();

  private static void expectNoRoom(Verdict verdict) {
    assertThat(verdict)
        .isInstanceOfSatisfying(
            Verdict.Refuse.class,
            refused ->
                assertThat(refused.error().condition())
                    .isEqualTo(ErrorCondition.RESOURCE_CONSTRAINT));
  }

  private void fill(String domain, int number, String body) {
    for (int i = 0; i < number; i++) {
      assertThat(host.isHeld(Jid.of("u" + i + "@" + domain), body)).isTrue();
    }
  }

  /// One message of Juliet has returned.
  private void expectReturned(ErrorCondition condition) {
    Expect.sent(
        host.context(),
        "<message type='error' from='%s/orchard' to='%s'>%s</message>"
            .formatted(
                HoldingHost.ROMEO, HoldingHost.JULIET, StanzaError.of(condition).toElement()));
  }

  @Test
  void aSenderWhoExceedsItsShareIsRefusedAndNotTheOthers() {
    for (int i = 0; i < HeldMessages.MAX_OF_SENDER; i++) {
      assertThat(host.isHeld(Jid.of("juliet@b.test/" + i), "x")).isTrue();
    }
    expectNoRoom(host.says(HoldingHost.JULIET, "x"));
    assertThat(host.isHeld(Jid.of("nurse@b.test"), "x")).isTrue();
    assertThat(host.stored()).hasSize(HeldMessages.MAX_OF_SENDER + 1);
  }

  @Test
  void aSenderWithLargeMessagesIsRefusedAndNotTheOthers() {
    String large = "x".repeat(HeldMessages.MAX_BYTES_OF_SENDER / 2);
    assertThat(host.isHeld(HoldingHost.JULIET, large)).isTrue();
    expectNoRoom(host.says(HoldingHost.JULIET, large));
    assertThat(host.isHeld(HoldingHost.JULIET, "x")).isTrue();
    assertThat(host.isHeld(Jid.of("nurse@b.test"), large)).isTrue();
  }

  @Test
  void aDomainThatExceedsItsShareIsRefusedAndNotTheOthers() {
    fill("b.test", HeldMessages.MAX_OF_DOMAIN, "x");
    expectNoRoom(host.says(HoldingHost.JULIET, "x"));
    assertThat(host.isHeld(Jid.of("juliet@c.test"), "x")).isTrue();
  }

  @Test
  void aDomainWithLargeMessagesIsRefusedAndNotTheOthers() {
    String large = "x".repeat(HeldMessages.MAX_BYTES_OF_DOMAIN / 4);
    fill("b.test", 3, large);
    expectNoRoom(host.says(HoldingHost.JULIET, large));
    assertThat(host.isHeld(Jid.of("juliet@c.test"), large)).isTrue();
    assertThat(host.isHeld(HoldingHost.JULIET, "x")).isTrue();
  }

  @Test
  void anAccountHoldsABoundedNumberOfMessages() {
    for (int i = 0; i < HeldMessages.MAX / HeldMessages.MAX_OF_DOMAIN; i++) {
      fill("b" + i + ".test", HeldMessages.MAX_OF_DOMAIN, "x");
    }
    expectNoRoom(host.says(HoldingHost.JULIET, "x"));
    assertThat(host.stored()).hasSize(HeldMessages.MAX);
  }

  @Test
  void anAccountHoldsABoundedNumberOfBytes() {
    String large = "x".repeat(HeldMessages.MAX_BYTES_OF_DOMAIN / 4);
    for (int i = 0; i < 5; i++) {
      fill("b" + i + ".test", 3, large);
    }
    expectNoRoom(host.says(HoldingHost.JULIET, large));
    assertThat(host.isHeld(HoldingHost.JULIET, "x")).isTrue();
  }

  @Test
  void whatIsHeldTooLongReturnsAlthoughNothingHappensAtTheAccount() {
    host.says(HoldingHost.JULIET, "one");
    host.pass(Duration.ofDays(1));
    host.says(HoldingHost.JULIET, "two");
    host.pass(MessageHold.TIME.minusDays(1));
    assertThat(host.stored()).hasSize(2);
    host.pass(Duration.ofDays(1));
    expectReturned(ErrorCondition.SUBSCRIPTION_REQUIRED);
    assertThat(host.stored()).hasSize(1);
    host.pass(Duration.ofDays(1));
    expectReturned(ErrorCondition.SUBSCRIPTION_REQUIRED);
    assertThat(host.stored()).isEmpty();
  }

  @Test
  void whatIsTooOldMakesRoom() {
    fill("b.test", HeldMessages.MAX_OF_DOMAIN, "x");
    host.context().clock().advance(Duration.ofHours(1));
    host.pass(MessageHold.TIME.plusDays(1));
    assertThat(host.isHeld(HoldingHost.JULIET, "x")).isTrue();
    assertThat(host.context().takeSent()).hasSize(HeldMessages.MAX_OF_DOMAIN);
  }

  @ParameterizedTest
  @ValueSource(strings = {"juliet@b.test", "juliet@b.test/balcony", "b.test"})
  void whatABlockedSenderHasSentReturns(String blocked) {
    host.says(HoldingHost.JULIET, "one");
    host.says(Jid.of("nurse@c.test"), "two");
    host.context()
        .ask(
            host.romeo(),
            TestXml.iq(
                "<iq type='set' id='b'><block xmlns='urn:xmpp:blocking'><item jid='%s'/></block></iq>"
                    .formatted(blocked)));
    assertThat(host.stored()).hasSize(1);
    expectReturned(ErrorCondition.SERVICE_UNAVAILABLE);
  }

  @Test
  void whereAllAreAcceptedRoundsEndWhenNothingIsHeld() {
    TestContext open =
        HoldingHost.installed(new TestContext().config(HoldingHost.config(Strangers.ACCEPT)));
    open.account("romeo@example.org");
    int before = open.clock().waiting();
    open.clock().advance(HeldRounds.PAUSE);
    open.runTasks();
    assertThat(open.clock().waiting()).isEqualTo(before - 1);
  }
}
