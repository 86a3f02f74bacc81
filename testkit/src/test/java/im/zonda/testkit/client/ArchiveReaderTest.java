package im.zonda.testkit.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The reader against a server with an archive of five messages (XEP-0313, section 4; XEP-0059).
@Timeout(20)
class ArchiveReaderTest {
  private static final List<String> ARCHIVE = List.of("a", "b", "c", "d", "e");

  @Test
  void readsPageAfterPage() throws IOException {
    List<String> found = new ArrayList<>();
    long count =
        read(
            ArchiveReaderTest::page, 2, (id, message) -> found.add(id + message.childText("body")));

    assertThat(found).containsExactly("a1", "b2", "c3", "d4", "e5");
    assertThat(count).isEqualTo(5);
  }

  @Test
  void knowsWhetherThereIsAnArchive() throws IOException {
    assertThat(offered("<feature var='urn:xmpp:mam:2'/>")).isTrue();
    assertThat(offered("<feature var='urn:xmpp:ping'/>")).isFalse();
  }

  @Test
  void pagesThatDoNotGoOnAreNotReadForEver() {
    assertThatThrownBy(() ->
            read(
                query -> fin(query, "<set xmlns='http://jabber.org/protocol/rsm'/>", false),
                2,
                (id, message) -> {}))
        .hasMessageContaining("do not go on");
  }

  @Test
  void aRejectionIsReported() {
    assertThatThrownBy(() ->
            read(
                query -> "<iq type='error' id='" + query.attribute("id") + "'><error/></iq>",
                2,
                (id, message) -> {}))
        .hasMessageContaining("the archive is not given");
  }

  private static long read(
      Function<XmlElement, String> answers, int pageSize, BiConsumer<String, XmlElement> found)
      throws IOException {
    try (TinyServer server = new TinyServer(answers);
        ScriptedClient client = server.bound("romeo@example.org/r")) {
      return new ArchiveReader(client, pageSize).readAll(found);
    }
  }

  private static boolean offered(String features) throws IOException {
    Function<XmlElement, String> answers =
        request -> {
          assertThat(request.attribute("to")).isEqualTo("romeo@example.org");
          return "<iq type='result' id='"
              + request.attribute("id")
              + "'><query xmlns='http://jabber.org/protocol/disco#info'>"
              + features
              + "</query></iq>";
        };
    try (TinyServer server = new TinyServer(answers);
        ScriptedClient client = server.bound("romeo@example.org/r")) {
      return new ArchiveReader(client, 10).offered();
    }
  }

  /// The answer of a correct server.
  private static String page(XmlElement iq) {
    XmlElement query = Objects.requireNonNull(iq.child(ArchiveReader.MAM, "query"));
    XmlElement set = Objects.requireNonNull(query.child("set"));
    int from = ARCHIVE.indexOf(set.childText("after")) + 1;
    int end = Math.min(ARCHIVE.size(), from + Integer.parseInt(set.childText("max")));
    StringBuilder answer = new StringBuilder();
    for (int i = from; i < end; i++) {
      answer
          .append("<message><result xmlns='urn:xmpp:mam:2' queryid='")
          .append(query.attribute("queryid"))
          .append("' id='")
          .append(ARCHIVE.get(i))
          .append("'><forwarded xmlns='urn:xmpp:forward:0'><message xmlns='jabber:client'><body>")
          .append(i + 1)
          .append("</body></message></forwarded></result></message>");
    }
    answer.append("<message><body>something else, live</body></message>");
    String last =
        "<set xmlns='http://jabber.org/protocol/rsm'><last>"
            + ARCHIVE.get(end - 1)
            + "</last></set>";
    return answer + fin(iq, last, end == ARCHIVE.size());
  }

  private static String fin(XmlElement iq, String set, boolean complete) {
    return "<iq type='result' id='"
        + iq.attribute("id")
        + "'><fin xmlns='urn:xmpp:mam:2'"
        + (complete ? " complete='true'>" : ">")
        + set
        + "</fin></iq>";
  }
}
