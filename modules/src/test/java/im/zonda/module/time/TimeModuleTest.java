package im.zonda.module.time;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.module.IqReply;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestXml;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class TimeModuleTest {
  private final TestContext context = new TestContext().install(new TimeModule());

  @Test
  void theServerTellsTheTimeInUtc() {
    context.clock().advance(Duration.ofMillis(61_500));
    IqReply reply =
        context.ask(
            context.bind("romeo@example.org/garden"),
            TestXml.iq(
                "<iq type='get' id='time_1' to='example.org'><time xmlns='urn:xmpp:time'/></iq>"));
    assertThat(reply)
        .isEqualTo(
            IqReply.result(
                TestXml.element(
                    "<time xmlns='urn:xmpp:time'><tzo>+00:00</tzo>"
                        + "<utc>2026-11-21T12:01:01Z</utc></time>")));
    assertThat(context.host().features()).containsExactly("urn:xmpp:time");
  }
}
