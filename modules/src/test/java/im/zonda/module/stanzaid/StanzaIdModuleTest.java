package im.zonda.module.stanzaid;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.hook.Verdict;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestSession;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.Message;
import im.zonda.xml.Element;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StanzaIdModuleTest {
  private static final String ORIGIN = "<origin-id xmlns='urn:xmpp:sid:0' id='o1'/>";

  private final TestContext context = new TestContext().install(new StanzaIdModule());
  private final TestSession romeo = context.bind("romeo@example.org/garden");

  @Test
  void aMessageWithoutIdsPassesUntouched() {
    assertThat(context.sends(romeo, message(ORIGIN))).isEqualTo(Verdict.pass());
    assertThat(context.arrives(message(ORIGIN))).isEqualTo(Verdict.pass());
  }

  @Test
  void theIdsOfOthersStay() {
    String room = id("room@rooms.example.org") + id("not an address@@") + id("juliet@example.com");
    assertThat(context.sends(romeo, message(room))).isEqualTo(Verdict.pass());
    assertThat(context.arrives(message(room))).isEqualTo(Verdict.pass());
  }

  @ParameterizedTest
  @ValueSource(strings = {"romeo@example.org", "example.org", "ROMEO@Example.Org", " example.org "})
  void row63AClientCannotForgeAnIdOfItsAccountOrHost(String by) {
    assertThat(ids(context.sends(romeo, message(id(by) + ORIGIN))))
        .containsExactly(TestXml.element(ORIGIN));
  }

  @ParameterizedTest
  @ValueSource(strings = {"juliet@example.org", "example.org", "Juliet@EXAMPLE.org"})
  void row63AStrangerCannotForgeAnIdOfTheReceiversAccountOrHost(String by) {
    assertThat(ids(context.arrives(message(ORIGIN + id(by)))))
        .containsExactly(TestXml.element(ORIGIN));
  }

  @Test
  void row64AllCopiesGo() {
    String copies =
        id("juliet@example.org")
            + id("room@rooms.example.org")
            + id("juliet@example.org")
            + "<stanza-id xmlns='urn:xmpp:sid:0' by='juliet@example.org'/>"
            + id("JULIET@example.org");
    assertThat(ids(context.arrives(message(copies))))
        .containsExactly(TestXml.element(id("room@rooms.example.org")));
  }

  @Test
  void hostAndAccountsAdvertiseIt() {
    assertThat(context.host().features()).containsExactly("urn:xmpp:sid:0");
    assertThat(context.host().accountFeatures()).containsExactly("urn:xmpp:sid:0");
  }

  private static String id(String by) {
    return "<stanza-id xmlns='urn:xmpp:sid:0' id='de305d54' by='%s'/>".formatted(by);
  }

  private static Message message(String payload) {
    return TestXml.message(
        "<message from='romeo@example.org/garden' to='juliet@example.org' type='chat'>"
            + "<body>hi</body>"
            + payload
            + "</message>");
  }

  private static List<Element> ids(Verdict verdict) {
    assertThat(verdict).isInstanceOf(Verdict.Replace.class);
    return ((Verdict.Replace) verdict)
        .stanza().payloads().stream()
            .filter(each -> each.name().namespace().equals("urn:xmpp:sid:0"))
            .toList();
  }
}
