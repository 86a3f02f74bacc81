package im.zonda.module.delay;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.hook.Verdict;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestSession;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.Message;
import im.zonda.xml.Element;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DelayModuleTest {
  private final TestContext context = new TestContext().install(new DelayModule());
  private final TestSession romeo = context.bind("romeo@example.org/garden");

  @Test
  void aLateMessageSaysWhenItWasReceived() {
    Message marked =
        context.host().marked(message(""), Instant.parse("2002-09-10T23:08:25.120456Z"));
    assertThat(delays(marked))
        .containsExactly(
            TestXml.element(
                "<delay xmlns='urn:xmpp:delay' from='example.org'"
                    + " stamp='2002-09-10T23:08:25.120Z'/>"));
    assertThat(marked.hasBody()).isTrue();
  }

  @Test
  void theDelaysOfOthersStay() {
    String others =
        "<delay xmlns='urn:xmpp:delay' from='coven@rooms.example.org' stamp='2002-09-10T23:05:37Z'/>"
            + "<delay xmlns='urn:xmpp:delay' stamp='2002-09-10T23:05:37Z'/>";
    assertThat(context.sends(romeo, message(others))).isEqualTo(Verdict.pass());
    assertThat(context.arrives(message(others))).isEqualTo(Verdict.pass());
    assertThat(delays(context.host().marked(message(others), Instant.EPOCH))).hasSize(3);
  }

  @Test
  void theFirstMarkStays() {
    Message once = context.host().marked(message(""), Instant.EPOCH);
    assertThat(delays(context.host().marked(once, Instant.EPOCH.plusSeconds(1))))
        .containsExactly(
            TestXml.element(
                "<delay xmlns='urn:xmpp:delay' from='example.org'"
                    + " stamp='1970-01-01T00:00:00.000Z'/>"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"example.org", "EXAMPLE.org", " example.org"})
  void row63ADelayInTheNameOfThisHostIsRemoved(String from) {
    String forged =
        "<delay xmlns='urn:xmpp:delay' from='%s' stamp='2002-09-10T23:08:25Z'/>".formatted(from);
    assertThat(context.sends(romeo, message(forged + forged)))
        .isInstanceOfSatisfying(
            Verdict.Replace.class,
            replace -> assertThat(delays((Message) replace.stanza())).isEmpty());
    assertThat(context.arrives(message(forged)))
        .isInstanceOfSatisfying(
            Verdict.Replace.class,
            replace -> assertThat(delays((Message) replace.stanza())).isEmpty());
  }

  @ParameterizedTest
  @ValueSource(strings = {"99999-01-01T00:00:00Z", "+1000000000-12-31T23:59:59Z", "", "yesterday"})
  void row98AStampThatIsNoTimeIsPassedOnUnread(String stamp) {
    String strange = "<delay xmlns='urn:xmpp:delay' from='@@' stamp='%s'/>".formatted(stamp);
    assertThat(context.arrives(message(strange))).isEqualTo(Verdict.pass());
    assertThat(delays(context.host().marked(message(strange), Instant.EPOCH))).hasSize(2);
  }

  private static Message message(String payload) {
    return TestXml.message(
        "<message from='juliet@example.org/balcony' to='romeo@example.org'>"
            + "<body>O blessed, blessed night!</body>"
            + payload
            + "</message>");
  }

  private static List<Element> delays(Message message) {
    return message.payloads().stream().filter(each -> each.is("urn:xmpp:delay", "delay")).toList();
  }
}
