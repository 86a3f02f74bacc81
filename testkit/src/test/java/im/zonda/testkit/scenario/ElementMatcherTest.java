package im.zonda.testkit.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.testkit.xml.XmlElement;
import im.zonda.testkit.xml.XmlStreamReading;
import javax.xml.stream.XMLStreamException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ElementMatcherTest {
  private final Bindings bindings = new Bindings();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "<iq id='1'/>|<iq id='1' from='a'/>",
        "<iq><q xmlns='x' a='1'/></iq>|<iq><p:q xmlns:p='x' a='1'/></iq>",
        "<m><a/><b/></m>|<m><b/><a/></m>",
        "<m>{any}</m>|<m>words</m>",
        "<m a='{any}'/>|<m a='v'/>",
        "<m a='x-{any}'/>|<m a='x-v'/>",
        "<m> text </m>|<m>text</m>",
        "<m a='{$v}'><a>{$v}</a></m>|<m a='7'><a>7</a></m>",
        "<m><a>{$v}</a><b>{$v}</b></m>|<m><a>1</a><a>2</a><b>2</b></m>"
      })
  void isTheSame(String expected, String received) throws XMLStreamException {
    // The last row requires backtracking; it has one child too many to match without "at least".
    boolean atLeast = received.contains("<a>2</a>");
    assertThat(difference(expected, received, atLeast)).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "<iq id='1'/>|<iq id='2'/>|expected '1', got '2'",
        "<iq id='1'/>|<iq/>|is missing",
        "<iq/>|<message/>|expected <iq",
        "<iq><q xmlns='x'/></iq>|<iq><q xmlns='y'/></iq>|child is missing",
        "<m><a/></m>|<m/>|child is missing",
        "<m/>|<m><a/></m>|a child that is not expected",
        "<m/>|<m>words</m>|text of",
        "<m><a/></m>|<m><a b='1'/></m>|attributes that are not expected",
        "<m><a/><a/></m>|<m><a/></m>|child is missing",
        "<m a='{$v}'><a>{$v}</a></m>|<m a='7'><a>8</a></m>|expected '7', got '8'"
      })
  void isDifferent(String expected, String received, String message) throws XMLStreamException {
    assertThat(difference(expected, received, false)).contains(message);
  }

  @Test
  void atLeastAllowsMoreButNotLess() throws XMLStreamException {
    assertThat(difference("<m><a/></m>", "<m><b/><a c='1'>t</a></m>", true)).isNull();
    assertThat(difference("<m><a/></m>", "<m><b/></m>", true)).contains("child is missing");
  }

  @Test
  void aNameKeepsItsValueAndAFailureBindsNothing() throws XMLStreamException {
    assertThat(difference("<m a='{$v}' b='x'/>", "<m a='1' b='y'/>", false)).isNotNull();
    assertThat(bindings.fill("{$v}")).isEqualTo("{$v}");
    assertThat(difference("<m a='{$v}'/>", "<m a='1&amp;'/>", false)).isNull();
    assertThat(difference("<m a='{$v}'/>", "<m a='2'/>", false)).contains("expected '1&'");
    assertThat(bindings.fillXml("<m a='{$v}' b='{any}'/>")).isEqualTo("<m a='1&amp;' b='{any}'/>");
  }

  private @Nullable String difference(String expected, String received, boolean atLeast)
      throws XMLStreamException {
    return new ElementMatcher(bindings, atLeast).difference(read(expected), read(received));
  }

  private static XmlElement read(String xml) throws XMLStreamException {
    return XmlStreamReading.parse(xml).getFirst();
  }
}
