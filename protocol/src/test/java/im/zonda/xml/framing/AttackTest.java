package im.zonda.xml.framing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.xml.Element;
import im.zonda.xml.QName;
import im.zonda.xml.XmlException;
import im.zonda.xml.XmlLimits;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The rows of the attack table that concern bytes and XML. The number in a test's name is the row.
class AttackTest {
  private static final String OPEN = Streams.HEADER;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<!DOCTYPE l [<!ENTITY a 'AAAA'><!ENTITY b '&a;&a;'>]>",
        "<?xml version='1.0'?><!DOCTYPE x SYSTEM 'file:///etc/passwd'>",
      })
  void row01_row03_aDocumentTypeIsFatal(String start) {
    assertThat(Recorder.events(start + OPEN)).containsExactly("RESTRICTED_XML");
    assertThat(Recorder.events(OPEN + "<a><!DOCTYPE x>")).endsWith("RESTRICTED_XML");
  }

  @ParameterizedTest
  @ValueSource(strings = {"<a>&b;</a>", "<a x='&b;'/>", "<a x='&b;&b;&b;&b;'/>"})
  void row02_row07_onlyPredefinedEntitiesExist(String text) {
    assertThat(Recorder.events(OPEN + text)).hasSize(2).endsWith("RESTRICTED_XML");
  }

  @ParameterizedTest
  @ValueSource(strings = {"<!-- x -->", "<a><!-- x --></a>", "<a/><!--"})
  void row04_commentsAreRestricted(String text) {
    assertThat(Recorder.events(OPEN + text)).endsWith("RESTRICTED_XML");
    assertThat(Recorder.events("<!-- x -->" + OPEN)).containsExactly("RESTRICTED_XML");
  }

  @ParameterizedTest
  @ValueSource(strings = {"<?php x?>", "<a><?php x?></a>", "<?xml-stylesheet x?>"})
  void row05_processingInstructionsAreRestricted(String text) {
    assertThat(Recorder.events(OPEN + text)).endsWith("RESTRICTED_XML");
    assertThat(Recorder.events(text)).endsWith("RESTRICTED_XML");
  }

  @Test
  void row06_aSecondXmlDeclarationIsNotWellFormed() {
    String declaration = "<?xml version='1.0'?>";
    assertThat(Recorder.events(declaration + OPEN + declaration)).endsWith("NOT_WELL_FORMED");
    assertThat(Recorder.events(declaration + declaration + OPEN))
        .containsExactly("NOT_WELL_FORMED");
    assertThat(Recorder.events(" " + declaration + OPEN)).containsExactly("NOT_WELL_FORMED");
    assertThat(Recorder.events(OPEN + "<a>" + declaration + "</a>")).endsWith("NOT_WELL_FORMED");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "&#0;",
        "&#x1F;",
        "&#xFFFE;",
        "&#xD800;",
        "&#x110000;",
        "&#99999999999999999999;",
        "&#;",
        "&#x;",
        "&;",
        "& ",
        "&#x41",
        "&lt",
        "&#-1;",
        "&#X41;",
        "\0",
        "\u0001",
        "\u001F",
        "\u000B",
        "\uFFFE",
        "\uFFFF"
      })
  void row08_whatIsNoCharacterOfXmlIsNotWellFormed(String bad) {
    assertThat(Recorder.events(OPEN + "<a>" + bad + "</a>")).hasSize(2).endsWith("NOT_WELL_FORMED");
    assertThat(Recorder.events(OPEN + "<a b='" + bad + "'/>"))
        .hasSize(2)
        .endsWith("NOT_WELL_FORMED");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\u00EB",
        "\u00C0\u00BC",
        "\u00E0\u0080\u00BC",
        "\u00C0\u0080",
        "\u00C0\u00A7",
        "\u00F0\u0080\u0080\u00BC",
        "\u00F4\u0090\u0080\u0080",
        "\u00ED\u00A0\u0080",
        "\u00ED\u00BF\u00BF",
        "\u00F8\u0088\u0080\u0080\u0080",
        "\u00FF",
        "\u00FE",
        "\u0080",
        "\u00E2\u0082",
        "\u00F0\u009F\u0098",
        "\u00C3",
        "\u00C1\u00BF",
        "\u00F5\u0080\u0080\u0080"
      })
  void row09_brokenUtf8EndsTheStream(String bytes) {
    for (String text :
        List.of(
            "<a>%s</a>",
            "<a b='%s'/>",
            "<a b=\"%s\"/>",
            "<a%s/>",
            "<a b%s='c'/>",
            "<%s/>",
            "<a><![CDATA[%s]]></a>",
            "<a>x</a%s>")) {
      byte[] stream = (OPEN + text.replace("%s", bytes)).getBytes(ISO_8859_1);
      for (int part : new int[] {1, 3, 1_000}) {
        assertThat(Recorder.inParts(stream, part, XmlLimits.CLIENT))
            .as(text)
            .hasSize(2)
            .endsWith("NOT_WELL_FORMED");
      }
    }
  }

  @Test
  void row11_aNamespaceIsNeverJoinedToAName() throws XmlException {
    Element element = XmlParser.parse("<a xmlns='http://etherx.jabber.org/streams&#10;stream'/>");
    assertThat(element.name())
        .isEqualTo(new QName("http://etherx.jabber.org/streams\nstream", "a"));
    assertThat(XmlParser.parse("<a xmlns='u\nv'/>").name().namespace()).isEqualTo("u v");
  }

  @Test
  void row13_whatLooksLikeMarkupInsideAValueIsNone() {
    String stream =
        OPEN
            + "<a x='>'>t</a><a><![CDATA[</stream:stream>]]></a><a x=\"'/>'\" y='</a>'/>"
                .replace("</a>'", "&lt;/a>'")
            + "</stream:stream>";
    assertThat(Recorder.events(stream)).hasSize(5).endsWith("close");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<a>]]></a>",
        "<a b='<'/>",
        "<a></a b='c'>",
        "<a b='1' b='2'/>",
        "<a xmlns:p='u' xmlns:q='u' p:b='1' q:b='2'/>",
        "<p:a/>",
        "<a p:b='c'/>",
        "<a></b>",
        "<a><b></a></b>",
        "<a></ab>",
        "<ab></a>",
        "<a xmlns='u' xmlns='u'/>",
        "<a b='c'd='e'/>",
        "<a b=c/>",
        "<a b/>",
        "< a/>",
        "<a / >",
        "<1a/>",
        "<a:/>",
        "<:a/>",
        "<a:b:c xmlns:a='u'/>",
        "<a xmlns:p='u' p:1='x'/>",
        "<-a/>",
        "<a></ a>",
        "<a><![cdata[]]></a>",
        "<a><![CDATA []]></a>",
        "<a><!x></a>",
        "</a>",
        "</stream:strea>",
        "</stream:streamx>",
        "<a xmlns:p='u'><b xmlns:p='v'/><c p:x='1' p:x='2'/></a>",
        "<a 'b'='c'/>",
        "<a ='c'/>",
        "<>",
        "<a\u00D7/>",
        "<a xmlns:p='u'/><p:b/>",
        "<a a='1' b='2' c='3' d='4' e='5' f='6' g='7' h='8' i='9' a='0'/>"
      })
  void row14_whatIsNotWellFormedEndsTheStream(String text) {
    List<String> events = Recorder.events(OPEN + text);
    assertThat(events).endsWith("NOT_WELL_FORMED");
    assertThat(events.size()).isLessThanOrEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "xmlns:xml='u'",
        "xmlns:xmlns='u'",
        "xmlns:p=''",
        "xmlns:xmlns='http://www.w3.org/2000/xmlns/'",
        "xmlns:p='http://www.w3.org/2000/xmlns/'",
        "xmlns='http://www.w3.org/2000/xmlns/'",
        "xmlns:p='http://www.w3.org/XML/1998/namespace'",
        "xmlns='http://www.w3.org/XML/1998/namespace'",
        "xmlns:='u'",
        "xmlns:p='http://www.w3.org/2000/xmlns&#x2F;'"
      })
  void row15_reservedPrefixesStayReserved(String declaration) {
    assertThat(Recorder.events(OPEN + "<a " + declaration + "/>"))
        .hasSize(2)
        .endsWith("NOT_WELL_FORMED");
    assertThat(Recorder.events("<a " + declaration + ">")).containsExactly("NOT_WELL_FORMED");
    assertThat(Recorder.events(OPEN + "<a xmlns:xml='http://www.w3.org/XML/1998/namespace'/>"))
        .hasSize(2)
        .noneMatch("NOT_WELL_FORMED"::equals);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "<?xml version='1.0' encoding='ISO-8859-1'?> | UNSUPPORTED_ENCODING",
        "<?xml version='1.0' encoding='UTF-16'?> | UNSUPPORTED_ENCODING",
        "<?xml version='1.1'?> | UNSUPPORTED_ENCODING",
        "<?xml version='1.1' encoding='UTF-8'?> | UNSUPPORTED_ENCODING",
        "<?xml encoding='UTF-8'?> | NOT_WELL_FORMED",
        "<?xml version='1.0'encoding='UTF-8'?> | NOT_WELL_FORMED",
        "<?xml version='1.0' standalone='maybe'?> | NOT_WELL_FORMED",
        "<?xml version='1.0\"?> | NOT_WELL_FORMED",
        "<?xml?> | RESTRICTED_XML",
        "<?XML version='1.0'?> | RESTRICTED_XML",
      })
  void row16_onlyXml10InUtf8(String declaration, String condition) {
    assertThat(Recorder.events(declaration + OPEN)).containsExactly(condition);
  }

  @Test
  void row16_utf16IsUnsupported() {
    for (byte[] bytes :
        List.of(OPEN.getBytes(UTF_16), OPEN.getBytes(UTF_16LE), OPEN.getBytes(UTF_16BE))) {
      assertThat(Recorder.inParts(bytes, 1, XmlLimits.CLIENT))
          .containsExactly("UNSUPPORTED_ENCODING");
    }
    assertThat(Recorder.events("\uFEFF\uFEFF" + OPEN)).containsExactly("NOT_WELL_FORMED");
    byte[] half = ("\u00EF\u00BB" + OPEN).getBytes(ISO_8859_1);
    assertThat(Recorder.inParts(half, 99, XmlLimits.CLIENT)).containsExactly("NOT_WELL_FORMED");
    byte[] declaration = ("<?xml version='1.0' " + " ".repeat(9_000)).getBytes(UTF_8);
    assertThat(Recorder.inParts(declaration, 99, XmlLimits.CLIENT))
        .containsExactly("NOT_WELL_FORMED");
  }

  @Test
  void row17_aStreamInsideAStreamIsInvalid() {
    assertThat(Recorder.events(OPEN + OPEN)).hasSize(2).endsWith("INVALID_XML");
    assertThat(Recorder.events(OPEN + "<stream xmlns='http://etherx.jabber.org/streams'>"))
        .endsWith("INVALID_XML");
    // The stream decides which elements of the stream namespace a peer may send.
    assertThat(Recorder.events(OPEN + "<stream:features/>"))
        .last()
        .asString()
        .startsWith("frame QName[namespace=http://etherx.jabber.org/streams, name=features]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"hello", " <a/> hello", "&amp;", "]]>", "<![CDATA[x]]>", "\u00E9"})
  void row18_textBetweenElementsIsBadFormat(String text) {
    assertThat(Recorder.events(OPEN + text)).endsWith("BAD_FORMAT");
    assertThat(Recorder.events(OPEN + " \r\n\t <a/>\n")).hasSize(2);
  }

  @Test
  void row19_theCallerSeesTheNamespacesOfTheHeader() {
    assertThat(Recorder.events("<stream:stream xmlns='x' xmlns:stream='y'>"))
        .containsExactly("open QName[namespace=y, name=stream] {} x");
    assertThat(Recorder.events("<stream>"))
        .containsExactly("open QName[namespace=, name=stream] {} ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "%s",
        "<a b='%s",
        "<a>%s",
        "<a b='",
        "<a><![CDATA[%s",
        "<a ",
        "<a b=%s",
        "<a></a%s",
        "<%s",
        "<a %s",
        "<a>&%s",
        "<a b='c' %s"
      })
  @Timeout(20)
  void row20_nothingGrowsBeyondTheLimit(String text) {
    for (String filler : List.of("x", " ", "\u00E9")) {
      String body = text.contains("%s") ? text : text + "%s";
      if (body.equals("%s")) {
        body = "<stream:stream x='%s";
      } else {
        body = OPEN + body;
      }
      byte[] stream = body.replace("%s", filler.repeat(2_000_000)).getBytes(UTF_8);
      List<String> events = Recorder.inParts(stream, 1_000, XmlLimits.CLIENT);
      assertThat(events.getLast()).isIn("POLICY_VIOLATION", "NOT_WELL_FORMED", "RESTRICTED_XML");
      assertThat(Recorder.inParts(stream, 100_000, XmlLimits.BEFORE_AUTHENTICATION))
          .isEqualTo(events);
    }
  }

  @Test
  void row20_namesHaveALimit() {
    String name = "x".repeat(1_024);
    assertThat(Recorder.events(OPEN + "<" + name + "/>")).hasSize(2).noneMatch(AttackTest::error);
    for (String text :
        List.of("<x%s/>", "<a x%s='1'/>", "<x%s", "<a><x%s/></a>", "<a xmlns='x%s'/>")) {
      assertThat(Recorder.events(OPEN + text.replace("%s", name)))
          .hasSize(2)
          .endsWith("POLICY_VIOLATION");
    }
  }

  @Test
  void row21_nestingHasALimit() {
    assertThat(Recorder.events(OPEN + "<a>".repeat(64) + "</a>".repeat(64)))
        .hasSize(2)
        .noneMatch(AttackTest::error);
    assertThat(Recorder.events(OPEN + "<a>".repeat(65))).endsWith("POLICY_VIOLATION");
    assertThat(Recorder.events(OPEN + "<a>".repeat(1_000_000))).endsWith("POLICY_VIOLATION");
  }

  @Test
  void row22_attributesHaveALimit() {
    assertThat(Recorder.events(OPEN + "<a" + attributes(64, "a%d='x'") + "/>"))
        .hasSize(2)
        .noneMatch(AttackTest::error);
    assertThat(Recorder.events(OPEN + "<a" + attributes(65, "a%d='x'") + "/>"))
        .endsWith("POLICY_VIOLATION");
    assertThat(Recorder.events("<a" + attributes(5_000, "a%d='x'") + "/>"))
        .endsWith("POLICY_VIOLATION");
  }

  @Test
  void row23_namespaceDeclarationsHaveALimit() {
    // The header declares two.
    assertThat(Recorder.events(OPEN + "<a" + attributes(30, "xmlns:a%d='x'") + "/>"))
        .hasSize(2)
        .noneMatch(AttackTest::error);
    assertThat(Recorder.events(OPEN + "<a" + attributes(31, "xmlns:a%d='x'") + "/>"))
        .endsWith("POLICY_VIOLATION");
    String nested = attributes(10, "xmlns:a%d='x'");
    assertThat(Recorder.events(OPEN + ("<a" + nested + ">").repeat(4)))
        .endsWith("POLICY_VIOLATION");
    assertThat(Recorder.events(OPEN + "<a>" + ("<a" + nested + "/>").repeat(40) + "</a>"))
        .hasSize(2)
        .noneMatch(AttackTest::error);
  }

  @Test
  void row24_aWideTreeIsCheap() throws XmlException {
    assertThat(Recorder.events(OPEN + "<a>" + "<a/>".repeat(4_095) + "</a>"))
        .hasSize(2)
        .noneMatch(AttackTest::error);
    assertThat(Recorder.events(OPEN + "<a>" + "<a/>".repeat(4_096) + "</a>"))
        .endsWith("POLICY_VIOLATION");
    // Each child is one small object: name, attributes and content are shared.
    Element wide = XmlParser.parse("<a>" + "<unknown/>".repeat(1_000) + "</a>");
    Element first = wide.children().getFirst();
    for (Element child : wide.children()) {
      assertThat(child.name()).isSameAs(first.name());
      assertThat(child.attributes()).isSameAs(first.attributes());
      assertThat(child.nodes()).isSameAs(first.nodes());
    }
  }

  @Test
  void row25_whiteSpaceCostsNothing() throws XmlException {
    XmppFramer framer = new XmppFramer(XmlLimits.BEFORE_AUTHENTICATION, new Recorder());
    byte[] spaces = " \n".repeat(1 << 20).getBytes(UTF_8);
    framer.feed(spaces, 0, spaces.length);
    byte[] header = OPEN.getBytes(UTF_8);
    framer.feed(header, 0, header.length);
    framer.feed(spaces, 0, spaces.length);
    assertThat(framer.isIdle()).isTrue();
  }

  @Test
  void row26_anHttpRequestIsNotWellFormed() {
    assertThat(Recorder.events("GET / HTTP/1.1\r\nHost: x\r\n\r\n"))
        .containsExactly("NOT_WELL_FORMED");
  }

  @Test
  @Timeout(20)
  void row29_oneByteAtATimeStaysLinear() throws XmlException {
    Recorder recorder = new Recorder();
    XmppFramer framer = new XmppFramer(new XmlLimits(1 << 24, 64, 64, 32, 4_096, 1_024), recorder);
    byte[] stream =
        (OPEN + "<a b='" + "x".repeat(1 << 21) + "'>" + "\u20AC&lt;".repeat(1 << 18) + "</a>")
            .getBytes(UTF_8);
    for (int i = 0; i < stream.length; i++) {
      framer.feed(stream, i, 1);
    }
    assertThat(recorder.frames).hasSize(1);
    assertThat(framer.isIdle()).isTrue();
  }

  private static boolean error(String event) {
    return event.matches("[A-Z0-9_]+");
  }

  private static String attributes(int count, String pattern) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < count; i++) {
      out.append(' ').append(pattern.replace("%d", Integer.toString(i)));
    }
    return out.toString();
  }
}
