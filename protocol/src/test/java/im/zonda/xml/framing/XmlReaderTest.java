package im.zonda.xml.framing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.xml.Element;
import im.zonda.xml.QName;
import im.zonda.xml.XmlException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class XmlReaderTest {
  @Test
  void writtenElementsAreRead() throws XmlException {
    Element element =
        Element.builder("urn:a", "a")
            .attribute("x", "<'\">& \n")
            .attribute(new QName("urn:b", "y"), "2")
            .text("one & two <three>")
            .child(Element.text(new QName("", "none"), "no namespace"))
            .child(Element.of("urn:c", "c"))
            .text("\ud83d\ude00\n")
            .build();
    assertThat(read(element.toString())).isEqualTo(element);
  }

  @Test
  void anElementWithoutNamespaceStaysWithoutOne() throws XmlException {
    assertThat(read("<a/>")).isEqualTo(Element.of("", "a"));
  }

  @Test
  void storedElementsHaveNoLimit() throws XmlException {
    String text = "x".repeat(2_000_000);
    assertThat(read("<a>" + text + "</a>").text()).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "<a>", "<a/><b/>", "text", "</s>", "<a></b>", "<!DOCTYPE a><a/>"})
  void everythingElseIsRejected(String document) {
    assertThatThrownBy(() -> read(document)).isInstanceOf(XmlException.class);
  }

  private static Element read(String document) throws XmlException {
    return XmlReader.read(document.getBytes(StandardCharsets.UTF_8));
  }
}
