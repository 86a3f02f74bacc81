package im.zonda.xml;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import im.zonda.jid.Property;
import im.zonda.xml.framing.Documents;
import im.zonda.xml.framing.XmlParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class XmlWriterTest {
  @Test
  void aWrittenTreeIsParsedToTheSameTree() {
    Property.holds(
        3_000,
        random -> {
          Element tree = Documents.tree(random);
          // The framer reads this as a stream header, not as an element.
          if (!tree.is(XmlNamespaces.STREAM, "stream")) {
            assertThat(XmlParser.parse(XmlWriter.toString(tree))).isEqualTo(tree);
            assertThat(XmlParser.parse(write(tree, "jabber:client"), "jabber:client"))
                .isEqualTo(tree);
          }
        });
  }

  @Test
  void aParsedTreeSurvivesWritingAndParsing() {
    Property.holds(
        3_000,
        random -> {
          Element tree;
          try {
            tree = XmlParser.parse(Documents.text(random));
          } catch (XmlException e) {
            return;
          }
          assertThat(XmlParser.parse(XmlWriter.toString(tree))).isEqualTo(tree);
        });
  }

  @Test
  void namespacesAreDeclaredWhereTheyChange() {
    Element tree =
        Element.builder("jabber:client", "message")
            .child("body", "x")
            .child(Element.builder("urn:a", "a").child(Element.of("urn:a", "b")).build())
            .child(Element.of("", "none"))
            .build();
    String inner = "<body>x</body><a xmlns='urn:a'><b/></a><none xmlns=''/></message>";
    assertThat(write(tree, "jabber:client")).isEqualTo("<message>" + inner);
    assertThat(XmlWriter.toString(tree)).isEqualTo("<message xmlns='jabber:client'>" + inner);
  }

  @Test
  void elementsOfTheStreamNamespaceDeclareIt() {
    Element forwarded =
        Element.builder("urn:x", "x").child(Element.of(XmlNamespaces.STREAM, "error")).build();
    assertThat(write(forwarded, "jabber:client"))
        .isEqualTo("<x xmlns='urn:x'><error xmlns='http://etherx.jabber.org/streams'/></x>");
  }

  @Test
  void attributesWithNamespacesGetPrefixes() {
    Element tree =
        Element.builder("u", "a")
            .attribute(new QName(XmlNamespaces.XML, "lang"), "en")
            .attribute(new QName("urn:x", "b"), "c")
            .attribute(new QName("urn:x", "d"), "e")
            .build();
    assertThat(XmlWriter.toString(tree))
        .isEqualTo("<a xmlns='u' xml:lang='en' xmlns:ns1='urn:x' ns1:b='c' ns1:d='e'/>");
  }

  @Test
  void row12_everythingThatCouldEndAValueIsEscaped() {
    String value = "x' from='admin@example.com\"><&\t\r\n";
    Element tree = Element.builder("u", "a").attribute("id", value).text(value).build();
    assertThat(XmlWriter.toString(tree))
        .isEqualTo(
            "<a xmlns='u' id='x&apos; from=&apos;admin@example.com&quot;&gt;&lt;&amp;&#9;&#13;&#10;'>"
                + "x' from='admin@example.com\"&gt;&lt;&amp;\t&#13;\n</a>");
  }

  @ParameterizedTest
  @ValueSource(strings = {"\0", "\u0001", "\u000B", "\uFFFE", "\uFFFF", "\uD800", "\uDC00x"})
  void row09_whatXmlForbidsCannotBecomePartOfATree(String bad) {
    assertThatIllegalArgumentException().isThrownBy(() -> new Text(bad));
    Element.Builder builder = Element.builder("u", "a");
    assertThatIllegalArgumentException().isThrownBy(() -> builder.text("x" + bad));
    assertThatIllegalArgumentException().isThrownBy(() -> builder.attribute("b", bad));
    assertThatIllegalArgumentException().isThrownBy(() -> Element.of(bad, "a"));
    assertThatIllegalArgumentException().isThrownBy(() -> Element.of("u", "a" + bad));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "1a", "a:b", "a>", "-"})
  void row12_namesAreNames(String bad) {
    assertThatIllegalArgumentException().isThrownBy(() -> Element.of("u", bad));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Element.builder("u", "a").attribute(bad, "x"));
  }

  @Test
  void row23_aLongNamespaceIsNotWrittenForEveryElement() throws XmlException {
    String namespace = "urn:" + "x".repeat(1_000);
    StringBuilder text = new StringBuilder("<m xmlns:p='" + namespace + "' xmlns='u'>");
    for (int i = 0; i < 4_000; i++) {
      text.append(i % 2 == 0 ? "<p:a/>" : "<a p:b=''/>");
    }
    Element tree = XmlParser.parse(text.append("</m>").toString());
    String written = XmlWriter.toString(tree);
    assertThat(written.length()).isLessThan(3 * text.length());
    assertThat(XmlParser.parse(written)).isEqualTo(tree);
  }

  private static String write(Element element, String defaultNamespace) {
    ByteArraySink sink = new ByteArraySink(16);
    XmlWriter.write(element, defaultNamespace, sink);
    return new String(sink.toByteArray(), UTF_8);
  }
}
