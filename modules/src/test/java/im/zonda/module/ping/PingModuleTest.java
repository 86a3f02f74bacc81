package im.zonda.module.ping;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.module.IqReply;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestSession;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.ErrorCondition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PingModuleTest {
  private final TestContext context = new TestContext().install(new PingModule());
  private final TestSession romeo = context.bind("romeo@example.org/garden");

  @ParameterizedTest
  @ValueSource(strings = {"", "to='example.org'", "to='romeo@example.org'"})
  void theServerAnswersForItselfAndTheOwnAccount(String to) {
    assertThat(ping("get", to)).isEqualTo(IqReply.empty());
  }

  @Test
  void row67APingTellsNothingOfOtherAccounts() {
    context.account("juliet@example.org");
    assertThat(ping("get", "to='juliet@example.org'"))
        .isEqualTo(ping("get", "to='nobody@example.org'"))
        .isEqualTo(IqReply.refuse(ErrorCondition.SERVICE_UNAVAILABLE));
  }

  @Test
  void aSetIsNoPing() {
    assertThat(ping("set", "to='example.org'"))
        .isEqualTo(IqReply.refuse(ErrorCondition.SERVICE_UNAVAILABLE));
  }

  @Test
  void pingIsAdvertised() {
    assertThat(context.host().features()).containsExactly("urn:xmpp:ping");
  }

  private IqReply ping(String type, String to) {
    return context.ask(
        romeo,
        TestXml.iq(
            "<iq type='%s' id='c2s1' %s><ping xmlns='urn:xmpp:ping'/></iq>".formatted(type, to)));
  }
}
