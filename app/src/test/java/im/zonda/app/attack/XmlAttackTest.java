package im.zonda.app.attack;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Rows 1 to 26 of the attack table: what is not XML, or too much of it.
@Timeout(60)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("small-heap")
class XmlAttackTest {
  private static final String[] NOT_XML = {"not-well-formed", "restricted-xml", "bad-format"};

  private final LeakWatch leaks = LeakWatch.open();
  private Target target;

  @BeforeAll
  void start() throws IOException {
    target = Target.usual();
  }

  @AfterAll
  void stop() {
    leaks.assertNone(target::serves);
    target.close();
    leaks.close();
  }

  @Test
  void row01_billionLaughs() {
    target.refusesFirst(
        "<?xml version='1.0'?><!DOCTYPE l [<!ENTITY a 'AAAA'><!ENTITY b '&a;&a;&a;'>]>"
            + Target.HEADER,
        "restricted-xml",
        "not-well-formed");
    target.refuses("<!DOCTYPE l [<!ENTITY a 'A'>]>", "restricted-xml", "not-well-formed");
  }

  @Test
  void row02_entityInAnAttribute() {
    target.refuses("<message id='&b;'/>", NOT_XML);
  }

  @Test
  void row03_externalEntity() {
    target.refusesFirst(
        "<!DOCTYPE l [<!ENTITY x SYSTEM 'file:///etc/passwd'>]>" + Target.HEADER,
        "restricted-xml",
        "not-well-formed");
  }

  @Test
  void row04_comment() {
    target.refusesFirst("<!-- c -->" + Target.HEADER, "restricted-xml");
    target.refuses("<!-- c -->", "restricted-xml");
    target.refuses("<message><!-- c --></message>", "restricted-xml");
  }

  @Test
  void row05_processingInstruction() {
    target.refusesFirst("<?php x?>" + Target.HEADER, "restricted-xml");
    target.refuses("<?php x?>", "restricted-xml");
    target.refuses("<message><?php x?></message>", "restricted-xml");
  }

  @Test
  void row06_secondXmlDeclaration() {
    target.refuses("<?xml version='1.0'?><message/>", NOT_XML);
  }

  @ParameterizedTest
  @ValueSource(strings = {"&foo;", "&nbsp;", "&;", "&lt", "&#;", "&#x;"})
  void row07_undefinedEntity(String reference) {
    target.refuses("<message><body>" + reference + "</body></message>", NOT_XML);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "&#0;",
        "&#x1F;",
        "&#xFFFE;",
        "&#xD800;",
        "&#x110000;",
        "\u0000",
        "\u0001",
        "\uFFFF"
      })
  void row08_forbiddenCharacter(String character) {
    target.refuses("<message><body>" + character + "</body></message>", NOT_XML);
    target.refuses("<message id='" + character + "'/>", NOT_XML);
  }

  @Test
  void row09_brokenUtf8() {
    int[][] broken = {
      {0xEB},
      {0xC0, 0xBC},
      {0xED, 0xA0, 0x80},
      {0xF8, 0x88, 0x80, 0x80, 0x80},
      {0xF4, 0x90, 0x80, 0x80}
    };
    for (int[] bytes : broken) {
      for (String place :
          new String[] {"<message><body>~</body></message>", "<message id='~'/>", "<m~/>"}) {
        ScriptedClient client = target.someone();
        client.offer(Target.withBytes(place, bytes));
        target.ends(client, NOT_XML);
      }
    }
    target.serves();
  }

  @Test
  void row11_namespaceSeparator() {
    target.refusesFirst(
        Target.HEADER.replace("jabber.org/streams'", "jabber.org/streams&#10;stream'"),
        "invalid-namespace");
  }

  @Test
  void row12_quoteInAnEchoedAttribute() {
    try (ScriptedClient client = target.someone()) {
      client.send(
          "<iq type='get' id=\"x' from='admin@example.org\" to='example.org'>"
              + "<ping xmlns='urn:xmpp:ping'/></iq>");
      XmlElement answer = client.receive();
      assertThat(answer.attribute("id")).isEqualTo("x' from='admin@example.org");
      assertThat(answer.attribute("from")).isEqualTo("example.org");
    }
    target.serves();
  }

  @Test
  void row13_whatAScannerMistakesForTheEnd() {
    try (ScriptedClient one = target.someone();
        ScriptedClient two = target.someone()) {
      two.send("<presence/>").receive(); // or messages wait for some seconds
      one.send(
          "<message to='"
              + two.jid()
              + "' id='>'><body><![CDATA[</stream:stream>]]></body>"
              + "<x xmlns='urn:x' a='/>'/></message>");
      XmlElement message = two.receive();
      assertThat(message.attribute("id")).isEqualTo(">");
      assertThat(message.childText("body")).isEqualTo("</stream:stream>");
      one.fence("alive");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<message><body>]]></body></message>",
        "<message id='<'/>",
        "<message></message id='1'>",
        "<message id='1' id='2'/>",
        "<message xmlns:a='u' xmlns:b='u' a:x='1' b:x='2'/>",
        "<p:message/>",
        "<message p:x='1'/>",
        "<message><body></message></body>",
        "<message id=1/>",
        "<message id/>",
        "<message a='1'b='2'/>",
        "< message/>",
        "<1message/>",
        "<a:b:c xmlns:a='u'/>"
      })
  void row14_notWellFormed(String xml) {
    target.refuses(xml, NOT_XML);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<message xmlns:xml='urn:x'/>",
        "<message xmlns:xmlns='urn:x'/>",
        "<message xmlns:p=''/>",
        "<message xmlns:p='http://www.w3.org/XML/1998/namespace'/>",
        "<message xmlns='http://www.w3.org/2000/xmlns/'/>"
      })
  void row15_reservedPrefix(String xml) {
    target.refuses(xml, NOT_XML);
  }

  @Test
  void row16_otherEncodings() {
    target.refusesFirst(
        "\uFEFF"
            .concat("<?xml version='1.0'?>" + Target.HEADER)
            .getBytes(StandardCharsets.UTF_16BE),
        "unsupported-encoding",
        "not-well-formed",
        "bad-format");
    target.refusesFirst(
        "<?xml version='1.0' encoding='ISO-8859-1'?>" + Target.HEADER, "unsupported-encoding");
    target.refusesFirst(
        "<?xml version='1.1'?>" + Target.HEADER,
        "unsupported-encoding",
        "not-well-formed",
        "restricted-xml");
  }

  @Test
  void row17_streamWithinAStream() {
    target.refuses(Target.HEADER, "unsupported-stanza-type", "invalid-xml", "not-authorized");
    target.refuses("<stream:features/>", "unsupported-stanza-type", "invalid-xml");
    target.refuses(
        "<message xmlns='jabber:server'/>", "unsupported-stanza-type", "invalid-namespace");
  }

  @Test
  void row18_textBetweenStanzas() {
    target.refuses("hello", "bad-format", "invalid-xml");
    try (ScriptedClient client = target.someone()) {
      client.send(" \n\t ");
      client.fence("keepalive");
    }
  }

  @Test
  void row19_wrongNamespace() {
    target.refusesFirst(
        "<stream:stream xmlns='jabber:server' xmlns:stream='http://etherx.jabber.org/streams'"
            + " version='1.0' to='example.org'>",
        "invalid-namespace");
    target.refusesFirst(
        "<stream:stream xmlns='jabber:client' xmlns:stream='urn:other' version='1.0'"
            + " to='example.org'>",
        "invalid-namespace");
    target.refusesFirst(
        Target.HEADER.replace("example.org'", "elsewhere.example'"), "host-unknown");
  }

  @Test
  void row20_oversize() {
    String twoMegabytes = "x".repeat(2_000_000);
    target.refuses("<message><body>" + twoMegabytes + "</body></message>", "policy-violation");
    target.refuses("<message id='" + twoMegabytes + "'/>", "policy-violation");
    target.refuses("<" + twoMegabytes + "/>", "policy-violation");
    target.refusesFirst("<stream:stream a='" + twoMegabytes, "policy-violation");
  }

  @Test
  void row21_deepNesting() {
    target.refuses("<message>" + "<a>".repeat(5_000), "policy-violation");
  }

  @Test
  void row22_manyAttributes() {
    StringBuilder attributes = new StringBuilder();
    for (int i = 0; i < 5_000; i++) {
      attributes.append(" a").append(i).append("='1'");
    }
    target.refuses("<message" + attributes + "/>", "policy-violation");
  }

  @Test
  void row23_manyNamespaces() {
    StringBuilder declarations = new StringBuilder();
    for (int i = 0; i < 5_000; i++) {
      declarations.append(" xmlns:a").append(i).append("='urn:").append(i).append('\'');
    }
    target.refuses("<message" + declarations + "/>", "policy-violation");
  }

  @Test
  void row24_manyElements() {
    target.refuses("<message>" + "<a/>".repeat(60_000) + "</message>", "policy-violation");
  }

  @Test
  void row25_whiteSpaceBeforeAuthentication() {
    ScriptedClient client = target.stranger();
    client.offer(Target.utf8(" ".repeat(2_000_000)));
    target.ends(client, "policy-violation");
    target.serves();
  }

  @Test
  void row26_http() {
    target.refusesFirst(
        "GET / HTTP/1.1\r\nHost: example.org\r\n\r\n",
        "not-well-formed",
        "bad-format",
        "invalid-xml");
  }

  @Test
  void row27_noCompressionIsOffered() {
    try (ScriptedClient client = target.someone()) {
      assertThat(client.features().toString()).doesNotContain("compress");
    }
  }
}
