package im.zonda.bench.judge;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class TsungStoryTest {
  private static final TsungLoad LOAD =
      new TsungLoad(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), 15_222),
          "bench.test",
          "rooms.bench.test",
          "secret",
          20,
          10);

  @TempDir private Path folder = Path.of("");

  @ParameterizedTest
  @EnumSource
  void theScenarioIsCompleteAndChecksItsLogins(TsungStory story) throws Exception {
    Path file = story.write(folder, LOAD);

    Document document = parse(Files.readString(file));
    assertThat(Files.readString(file)).doesNotContainPattern("@[A-Z_]+@");
    Element server = (Element) document.getElementsByTagName("server").item(0);
    assertThat(server.getAttribute("host")).isEqualTo("127.0.0.1");
    assertThat(server.getAttribute("port")).isEqualTo("15222");
    NodeList requests = document.getElementsByTagName("jabber");
    int logins = 0;
    for (int i = 0; i < requests.getLength(); i++) {
      Element jabber = (Element) requests.item(i);
      assertThat(jabber.getAttribute("stamped")).isEmpty();
      if (jabber.getAttribute("type").equals("auth_sasl")) {
        Element match =
            (Element) ((Element) jabber.getParentNode()).getElementsByTagName("match").item(0);
        assertThat(match.getAttribute("do")).isEqualTo("abort");
        assertThat(match.getAttribute("when")).isEqualTo("nomatch");
        assertThat(match.getTextContent()).isEqualTo("<success");
        logins++;
      }
    }
    assertThat(logins).isEqualTo(document.getElementsByTagName("session").getLength());
    assertThat(Files.readAllLines(folder.resolve("users.csv")))
        .hasSize(200)
        .startsWith("u0;secret");
    assertThat(Files.readAllLines(folder.resolve("absent.csv")))
        .hasSize(20)
        .startsWith("u200;secret");
  }

  private static Document parse(String text) throws Exception {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newDefaultInstance();
    factory.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
    return factory.newDocumentBuilder().parse(new InputSource(new StringReader(text)));
  }
}
