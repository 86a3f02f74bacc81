package im.zonda.stanza;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.xml.ByteArraySink;
import im.zonda.xml.QName;
import im.zonda.xml.XmlException;
import im.zonda.xml.framing.XmlParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What stands for a stanza whose written form cannot be read.
final class ReplacementStanzaTest {
  private static final Jid ROMEO = Jid.of("romeo@example.org/o'r");
  private static final Jid JULIET = Jid.of("juliet@example.org/balcony");
  private static final String LONG = "urn:" + "&apos;".repeat(10_000);

  private static Stanza replacement(String xml) {
    return ReplacementStanza.of(xml.getBytes(UTF_8));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<message from='romeo@example.org/o&apos;r' to='juliet@example.org/balcony'><a",
        "<message from=\"romeo@example.org/o'r\" to='juliet@example.org/balcony' id='a>b' x",
        "<presence from='romeo@example.org/o&apos;r' to='juliet@example.org/balcony'",
        "<iq type='get' id='1' from=\"romeo@example.org/o'r\" to='juliet@example.org/balcony'/>",
      })
  void aHeadlineHasTheAddresses(String xml) {
    assertThat(replacement(xml))
        .isInstanceOfSatisfying(
            Message.class,
            message -> {
              assertThat(message.type()).isEqualTo(Message.Type.HEADLINE);
              assertThat(message.payloads()).isEmpty();
              assertThat(message.from()).isEqualTo(ROMEO);
              assertThat(message.to()).isEqualTo(JULIET);
            });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<iq from='example.org' xmlns:p='L' p:a='' id='q' type='result'><",
        "<iq from='example.org' type='error' id='q' xmlns:p='L' p:a=''/>",
      })
  void anAnswerIsAnErrorWithItsId(String xml) {
    assertThat(replacement(xml.replace("L", LONG)))
        .isInstanceOfSatisfying(
            Iq.class,
            iq -> {
              assertThat(iq.type()).isEqualTo(Iq.Type.ERROR);
              assertThat(iq.id()).isEqualTo("q");
              assertThat(iq.from()).isEqualTo(Jid.of("example.org"));
              assertThat(iq.to()).isNull();
            });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "<",
        "iq",
        "<iq ",
        "<iq id",
        "<iq id=",
        "<iq id='",
        "<iq from='@'>",
        "<iq a=b>"
      })
  void anythingElseIsAHeadline(String text) {
    assertThat(replacement(text))
        .isInstanceOfSatisfying(Message.class, message -> assertThat(message.from()).isNull());
  }

  /// Presence that is kept for others must not fail what is done with it.
  @Test
  void packedContentThatCannotBeReadHasNoChildren() throws XmlException {
    Content received =
        new RawContent(XmlParser.frame("<presence id='a'/>", Namespaces.CLIENT), 0, -1, -1)
            .with(new QName("urn:example", "broken"), "<broken <>".getBytes(UTF_8));
    Content packed = PackedContent.of("presence", received);
    assertThat(packed.size()).isZero();
    assertThat(packed.id()).isEqualTo("a");
    assertThat(packed.payload(new QName("urn:example", "broken"))).isNull();
    ByteArraySink sink = new ByteArraySink(64);
    packed.write(null, null, sink);
    assertThat(new String(sink.toByteArray(), UTF_8))
        .isEqualTo("<presence id='a'><broken <></presence>");
  }
}
