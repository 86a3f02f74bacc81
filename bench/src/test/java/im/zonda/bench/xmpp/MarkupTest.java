package im.zonda.bench.xmpp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MarkupTest {
  private static final String ELEMENT =
      "<iq from='a@b/c'  id=\"x'y\" type='result'><jid id='no'>u@d/r</jid></iq>";

  @Test
  void attributesOfTheStartTagAreFound() {
    assertThat(Markup.attribute(ELEMENT, "id")).isEqualTo("x'y");
    assertThat(Markup.attribute(ELEMENT, "type")).isEqualTo("result");
    assertThat(Markup.attribute(ELEMENT, "from")).isEqualTo("a@b/c");
    assertThat(Markup.attribute(ELEMENT, "to")).isNull();
    assertThat(Markup.attribute("<a idx='1' id='2'/>", "id")).isEqualTo("2");
    assertThat(Markup.attribute("<r/>", "h")).isNull();
    assertThat(Markup.attribute("<a h='3'/>", "h")).isEqualTo("3");
  }

  @Test
  void textsAreFound() {
    assertThat(Markup.text(ELEMENT, "jid")).isEqualTo("u@d/r");
    assertThat(Markup.text(ELEMENT, "other")).isEmpty();
  }
}
