package im.zonda.module.version;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.module.IqReply;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestXml;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class VersionModuleTest {
  @Test
  void theServerTellsNameAndVersionAndNoOperatingSystem() {
    assertThat(ask(new VersionModule("1.2.3")))
        .isEqualTo(
            IqReply.result(
                TestXml.element(
                    "<query xmlns='jabber:iq:version'><name>Zonda</name>"
                        + "<version>1.2.3</version></query>")));
  }

  @Test
  void theVersionIsThatOfTheBuild() {
    IqReply.Result reply = (IqReply.Result) ask(new VersionModule());
    assertThat(
            Objects.requireNonNull(Objects.requireNonNull(reply.payload()).child("version")).text())
        .matches("[0-9]+\\.[0-9]+\\.[0-9]+(-SNAPSHOT)?");
  }

  private static IqReply ask(VersionModule module) {
    TestContext context = new TestContext().install(module);
    return context.ask(
        context.bind("romeo@example.org/garden"),
        TestXml.iq(
            "<iq type='get' id='v1' to='example.org'><query xmlns='jabber:iq:version'/></iq>"));
  }
}
