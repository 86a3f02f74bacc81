package im.zonda.plugins.filter;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.plugins.filter.MessageText.Passage;
import im.zonda.plugins.filter.match.Range;
import im.zonda.stanza.Message;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MessageTextTest {
  private static final String XHTML = "http://www.w3.org/1999/xhtml";

  /// Masks every "darn" and shows the payloads.
  private static String masked(Element... payloads) {
    Message message = Message.of(Message.Type.CHAT, null, null, "i", List.of(payloads));
    Map<Integer, List<Range>> ranges = new HashMap<>();
    for (Passage passage : MessageText.of(message.payloads())) {
      List<Range> places = new ArrayList<>();
      for (int at = passage.text().indexOf("darn"); at >= 0; ) {
        places.add(new Range(at, at + 4));
        at = passage.text().indexOf("darn", at + 4);
      }
      if (!places.isEmpty()) {
        ranges.put(passage.payload(), places);
      }
    }
    Message after = MessageText.masked(message, ranges, "*");
    assertThat(after.id()).isEqualTo("i");
    assertThat(after.type()).isEqualTo(Message.Type.CHAT);
    return String.join("", after.payloads().stream().map(Element::toString).toList());
  }

  private static Element body(String text) {
    return Element.text(new QName("jabber:client", "body"), text);
  }

  @Test
  void bodiesAndSubjectsAreMasked() {
    assertThat(masked(body("oh darn, darn it")))
        .isEqualTo("<body xmlns='jabber:client'>oh ****, **** it</body>");
    Element german =
        body("darn").toBuilder()
            .attribute(new QName("http://www.w3.org/XML/1998/namespace", "lang"), "de")
            .build();
    assertThat(masked(body("fine"), german)).contains(">fine<", "xml:lang='de'", ">****<");
    assertThat(masked(Element.builder("jabber:client", "subject").text("darn").build()))
        .contains(">****<");
  }

  @Test
  void aWordIsMaskedAcrossInlineElements() {
    Element html =
        Element.builder("http://jabber.org/protocol/xhtml-im", "html")
            .child(
                Element.builder(XHTML, "body")
                    .child(
                        Element.builder(XHTML, "p")
                            .text("oh da")
                            .child(Element.builder(XHTML, "b").text("r").build())
                            .text("n it")
                            .child(
                                Element.builder(XHTML, "img")
                                    .attribute("alt", "so darn")
                                    .attribute("src", "http://darn/")
                                    .build())
                            .build())
                    .child(Element.builder(XHTML, "p").text("darn").build())
                    .build())
            .build();
    assertThat(masked(html))
        .contains("oh **<b>*</b>* it", "alt='so ****'", "src='http://darn/'", "<p>****</p>");
  }

  @Test
  void aWordIsNotFoundAcrossOtherElements() {
    Element parts =
        Element.builder("urn:x", "x").child("a", "da").child("b", "rn").child("c", "darn").build();
    assertThat(masked(parts)).contains("<a>da</a>", "<b>rn</b>", "<c>****</c>");
  }

  @Test
  void whatOtherPayloadsSayIsMasked() {
    Element invitation =
        Element.builder("jabber:x:conference", "x")
            .attribute("jid", "darn@rooms.example.org")
            .attribute("reason", "darn good")
            .build();
    assertThat(masked(invitation)).contains("jid='darn@rooms.example.org'", "reason='**** good'");
    Element forwarded =
        Element.builder("urn:xmpp:forward:0", "forwarded")
            .child(Element.builder("jabber:client", "message").child(body("darn")).build())
            .build();
    assertThat(masked(forwarded)).contains("****").doesNotContain("darn");
  }

  @Test
  void whatIsEncryptedOrNoTextStays() {
    Element encrypted =
        Element.builder("eu.siacs.conversations.axolotl", "encrypted")
            .child("payload", "darn")
            .build();
    Element thread = Element.builder("jabber:client", "thread").text("darn").build();
    assertThat(MessageText.of(List.of(encrypted, thread))).isEmpty();
    Element wrapped = Element.builder("urn:x", "x").child(encrypted).text("darn").build();
    assertThat(masked(wrapped)).contains(">darn</payload>", "****");
  }

  /// Fallback indications (XEP-0428) count code points.
  @Test
  void everyCodePointIsMaskedByOneAndWhiteSpaceStays() {
    String text = "😀x \n𝓭";
    Message message = Message.of(Message.Type.CHAT, null, null, null, List.of(body(text)));
    Message after =
        MessageText.masked(message, Map.of(0, List.of(new Range(0, text.length()))), "*");
    assertThat(after.payloads().getFirst().text()).isEqualTo("** \n*");
  }

  @Test
  void reportsHaveOneLine() {
    assertThat(Reports.shown("a\nb\u202ec\ud800")).isEqualTo("a b c ");
    assertThat(Reports.shown("x".repeat(10_000))).hasSize(Reports.MOST_TEXT + 1).endsWith("…");
  }
}
