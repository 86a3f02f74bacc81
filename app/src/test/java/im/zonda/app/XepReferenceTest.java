package im.zonda.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.module.Xep;
import im.zonda.module.delay.DelayModule;
import im.zonda.module.disco.DiscoModule;
import im.zonda.module.ping.PingModule;
import java.io.StringReader;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

class XepReferenceTest {
  @Xep(number = 9999, version = "0.1", title = "This | that", note = "no <this> & that")
  private static final class Partial {}

  @Xep(number = 9999, version = "0.2", title = "This | that")
  private static final class Contradiction {}

  private static final List<Class<?>> CLASSES =
      List.of(PingModule.class, Partial.class, DiscoModule.class, String.class, DelayModule.class);

  @Test
  void thePageListsEachXepOnceByNumber() {
    String page = XepReference.of(CLASSES).markdown();
    assertThat(page.lines().filter(line -> line.startsWith("| [XEP-")).toList())
        .containsExactly(
            row("0030", "Service Discovery", "2.5.0", "disco", ""),
            row("0115", "Entity Capabilities", "1.6.0", "disco", ""),
            row("0128", "Service Discovery Extensions", "1.0.1", "disco", ""),
            row("0199", "XMPP Ping", "2.0.1", "ping", ""),
            row("0203", "Delayed Delivery", "2.0", "delay", ""),
            row(
                "0390",
                "Entity Capabilities 2.0",
                "0.3.2",
                "disco",
                "Capabilities are not pushed before initial presence, and presence is not optimized"),
            row("9999", "This \\| that", "0.1", "app", "no <this> & that"));
    assertThat(XepReference.of(CLASSES.reversed()).markdown()).isEqualTo(page);
  }

  @Test
  void theDoapFileIsXmlAndSaysWhatIsPartial() throws Exception {
    String file = XepReference.of(CLASSES).doap();
    DocumentBuilderFactory factory = DocumentBuilderFactory.newDefaultNSInstance();
    Document document = factory.newDocumentBuilder().parse(new InputSource(new StringReader(file)));
    String namespace = "https://linkmauve.fr/ns/xmpp-doap#";
    assertThat(document.getElementsByTagNameNS(namespace, "SupportedXep").getLength()).isEqualTo(7);
    assertThat(document.getElementsByTagNameNS(namespace, "status").item(0).getTextContent())
        .isEqualTo("complete");
    assertThat(document.getElementsByTagNameNS(namespace, "status").item(6).getTextContent())
        .isEqualTo("partial");
    assertThat(document.getElementsByTagNameNS(namespace, "note").item(1).getTextContent())
        .isEqualTo("no <this> & that");
    assertThat(file).contains("https://xmpp.org/extensions/xep-0030.html");
  }

  @Test
  void classesThatDisagreeAreAnError() {
    assertThatThrownBy(() -> XepReference.of(List.of(Partial.class, Contradiction.class)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("XEP-9999");
  }

  private static String row(
      String number, String title, String version, String place, String leftOut) {
    return "| [XEP-%s](https://xmpp.org/extensions/xep-%s.html) | %s | %s | `%s` | %s |"
        .formatted(number, number, title, version, place, leftOut);
  }
}
