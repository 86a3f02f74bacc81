package im.zonda.module.pubsub.attachment;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.module.testing.TestXml;
import im.zonda.xml.Element;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SummaryTest {
  private final Summary summary = new Summary();

  private void add(String attachments) {
    summary.add(
        TestXml.element(
            "<attachments xmlns='urn:xmpp:pubsub-attachments:1'>"
                + attachments
                + "</attachments>"));
  }

  private static String reactions(String... texts) {
    return "<reactions><reaction>"
        + String.join("</reaction><reaction>", texts)
        + "</reaction></reactions>";
  }

  private Element result() {
    return Objects.requireNonNull(summary.toElement());
  }

  @Test
  void whatUsersHaveAttachedIsCounted() {
    add("<noticed/>" + reactions("a", "b", "a", " a "));
    add(reactions("b"));
    add("<noticed/><comment xmlns='urn:example:other'/>");
    assertThat(result())
        .isEqualTo(
            TestXml.element(
                "<summary xmlns='urn:xmpp:pubsub-attachments:summary:1'><noticed count='2'/>"
                    + "<reactions><reaction count='2'>b</reaction><reaction>a</reaction></reactions>"
                    + "</summary>"));
  }

  @Test
  void nothingIsSaidOfNothing() {
    add("");
    add("<reactions/><comment xmlns='urn:example:other'/>");
    assertThat(summary.toElement()).isNull();
  }

  @Test
  void whatIsNoReactionDoesNotCount() {
    add(reactions("", " ", "x".repeat(65)) + "<noticed/>");
    assertThat(result().child("reactions")).isNull();
  }

  @Test
  void onlySoManyReactionsCount() {
    for (int user = 0; user < 20; user++) {
      int first = user * 16;
      add(
          reactions(
              IntStream.range(first, first + 40).mapToObj(i -> "r" + i).toArray(String[]::new)));
    }
    Element all = Objects.requireNonNull(result().child("reactions"));
    assertThat(all.children()).hasSize(256);
    assertThat(all.children()).allSatisfy(e -> assertThat(e.attribute("count")).isNull());
  }
}
