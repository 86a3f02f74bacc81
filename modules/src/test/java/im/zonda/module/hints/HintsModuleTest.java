package im.zonda.module.hints;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.hook.StorageRule.Decision;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestXml;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HintsModuleTest {
  private final TestContext context = new TestContext().install(new HintsModule());

  @ParameterizedTest
  @CsvSource({
    "chat,no-store,SKIP",
    "normal,no-store,SKIP",
    "chat,no-permanent-store,UNTIL_DELIVERED",
    "chat,store,STORE",
    "headline,store,STORE",
    "chat,no-copy,UNDECIDED",
    "error,no-store,UNDECIDED",
    "error,store,UNDECIDED",
    "error,no-permanent-store,UNDECIDED"
  })
  void aHintDecides(String type, String hint, Decision decision) {
    assertThat(decide(type, hint)).isEqualTo(decision);
  }

  @Test
  void theHintThatKeepsLessWins() {
    assertThat(decide("chat", "store", "no-store")).isEqualTo(Decision.SKIP);
    assertThat(decide("chat", "store", "no-permanent-store", "no-store")).isEqualTo(Decision.SKIP);
    assertThat(decide("chat", "store", "no-permanent-store")).isEqualTo(Decision.UNTIL_DELIVERED);
  }

  @Test
  void row79ARoomMessageCannotFillTheLogsOfAllOccupants() {
    assertThat(decide("groupchat", "store")).isEqualTo(Decision.UNDECIDED);
  }

  private Decision decide(String type, String... hints) {
    StringBuilder xml = new StringBuilder("<message type='" + type + "'><body>hi</body>");
    for (String hint : hints) {
      xml.append('<').append(hint).append(" xmlns='urn:xmpp:hints'/>");
    }
    return context.stores(TestXml.message(xml + "</message>"));
  }
}
