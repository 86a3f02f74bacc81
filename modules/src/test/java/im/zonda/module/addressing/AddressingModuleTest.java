package im.zonda.module.addressing;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.hook.Verdict;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestSession;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.ErrorType;
import im.zonda.stanza.Stanza;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class AddressingModuleTest {
  private final TestContext context = new TestContext().install(new AddressingModule());
  private final TestSession romeo = context.bind("romeo@example.org/orchard");

  private Verdict send(TestSession sender, int addresses) {
    return send(sender, addresses, "x");
  }

  private Verdict send(TestSession sender, int addresses, String body) {
    StringBuilder xml = new StringBuilder("<message to='example.org'><addresses xmlns='");
    xml.append(Addresses.NAMESPACE).append("'>");
    for (int i = 0; i < addresses; i++) {
      xml.append("<address type='to' jid='u").append(i).append("@example.org'/>");
    }
    return context.sends(
        sender,
        TestXml.message(
            xml.append("</addresses><body>%s</body></message>").toString().formatted(body)));
  }

  private static int copies(Verdict verdict) {
    return verdict instanceof Verdict.Each(List<Stanza> each) ? each.size() : 0;
  }

  private static ErrorCondition condition(Verdict verdict) {
    return ((Verdict.Refuse) verdict).error().condition();
  }

  @Test
  void aStanzaHasAtMostFiftyAddresses() {
    assertThat(copies(send(romeo, 50))).isEqualTo(50);
    assertThat(condition(send(romeo, 51))).isEqualTo(ErrorCondition.NOT_ACCEPTABLE);
  }

  @Test
  void eachCopyCountsForTheAccount() {
    TestSession other = context.bind("romeo@example.org/hall");
    TestSession juliet = context.bind("juliet@example.org/balcony");
    for (int i = 0; i < 5; i++) {
      assertThat(copies(send(romeo, 50))).isEqualTo(50);
      assertThat(copies(send(other, 50))).isEqualTo(50);
    }
    Verdict tooMany = send(romeo, 1);
    assertThat(condition(tooMany)).isEqualTo(ErrorCondition.POLICY_VIOLATION);
    assertThat(((Verdict.Refuse) tooMany).error().type()).isEqualTo(ErrorType.WAIT);
    assertThat(condition(send(other, 1))).isEqualTo(ErrorCondition.POLICY_VIOLATION);
    assertThat(copies(send(juliet, 1))).isEqualTo(1);
    context.clock().advance(Duration.ofSeconds(10));
    assertThat(copies(send(romeo, 1))).isEqualTo(1);
  }

  @Test
  void aLargeStanzaCountsAsSeveral() {
    String large = "x".repeat(40_000);
    assertThat(condition(send(romeo, 50, large))).isEqualTo(ErrorCondition.POLICY_VIOLATION);
    assertThat(copies(send(romeo, 40, large))).isEqualTo(40);
    assertThat(condition(send(romeo, 10, large))).isEqualTo(ErrorCondition.POLICY_VIOLATION);
  }

  @Test
  void errorsAreNotSentToSeveral() {
    assertThat(
            context.sends(
                romeo,
                TestXml.message(
                    "<message type='error' to='example.org'><addresses xmlns='"
                        + Addresses.NAMESPACE
                        + "'><address type='to' jid='u@example.org'/></addresses></message>")))
        .isInstanceOf(Verdict.Pass.class);
  }

  @Test
  void subscriptionsAreNotSentToSeveral() {
    assertThat(
            context.sends(
                romeo,
                TestXml.presence(
                    "<presence type='subscribe' to='example.org'><addresses xmlns='"
                        + Addresses.NAMESPACE
                        + "'><address type='to' jid='u@example.org'/></addresses></presence>")))
        .isInstanceOf(Verdict.Pass.class);
  }
}
