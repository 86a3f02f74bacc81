package im.zonda.app.rewriting;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.jid.Jid;
import im.zonda.link.LinkCodec;
import im.zonda.link.ToSession;
import im.zonda.module.Envelope;
import im.zonda.module.Origin;
import im.zonda.route.EnvelopeCodec;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Message;
import im.zonda.stanza.Namespaces;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaFormatException;
import im.zonda.storage.sql.log.StoredMessage;
import im.zonda.testkit.xml.HostileStanzas;
import im.zonda.xml.ByteArraySink;
import im.zonda.xml.Element;
import im.zonda.xml.XmlException;
import im.zonda.xml.XmlLimits;
import im.zonda.xml.XmlWriter;
import im.zonda.xml.framing.Frame;
import im.zonda.xml.framing.XmlParser;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Whatever a peer may send, the server reads what it writes of it, in each form in which it keeps
/// or carries stanzas, and writes at most twice what came in.
class ReadBackTest {
  private static final int SEEDS = 2_000;
  private static final int ALLOWANCE = 1_024;
  private static final Jid FROM = Jid.of("romeo@example.org/'\"&<>");
  private static final Jid TO = Jid.of("juliet@example.org");
  private static final Jid SESSION = Jid.of("juliet@example.org/balcony");
  private static final Jid OTHER = Jid.of("juliet@example.org/'\"&<>");
  private static final String QUOTES = "'".repeat(1_000);

  @Test
  void whatIsAcceptedIsWrittenShortAndReadAgainInEveryForm() throws Exception {
    int accepted = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      Frame frame = frame(HostileStanzas.stanza(new SplittableRandom(seed), "message", " id='1'"));
      Stanza stanza;
      try {
        stanza = Stanza.received(frame);
      } catch (StanzaFormatException e) {
        assertThat(e.condition()).isEqualTo(ErrorCondition.NOT_ACCEPTABLE);
        assertThat(frame.mayGrow()).isTrue();
        continue;
      }
      accepted++;
      checkSizes(frame, stanza, seed);
      checkForms((Message) stanza.withAddresses(FROM, TO));
    }
    assertThat(accepted).isGreaterThan(SEEDS * 9 / 10);
  }

  private static void checkSizes(Frame frame, Stanza stanza, long seed) {
    int most = 2 * frame.bytes().length + ALLOWANCE;
    assertThat(written(stanza).length).as("seed " + seed).isLessThanOrEqualTo(most);
    assertThat(written(tree(stanza)).length).as("tree, seed " + seed).isLessThanOrEqualTo(most);
    // Parts are written inside other stanzas, with what the start tag of their own declared.
    for (Element payload : stanza.payloads()) {
      assertThat(XmlWriter.toString(payload).getBytes(UTF_8).length)
          .as("payload, seed " + seed)
          .isLessThanOrEqualTo(most);
    }
  }

  private static void checkForms(Message message) throws Exception {
    Element meant = message.toElement();
    assertThat(read(written(message)).toElement()).isEqualTo(meant);
    byte[] ofTree = written(tree(message));
    assertThat(read(ofTree).toElement()).isEqualTo(meant);
    assertThat(written(tree(read(ofTree)))).isEqualTo(ofTree);
    assertThat(message.packed().payloads()).isEqualTo(message.payloads());
    assertThat(((Message) tree(message)).packed().toElement()).isEqualTo(meant);
    Message more = message.withPayload(Element.of("urn:more", "more"));
    assertThat(read(written(more)).toElement()).isEqualTo(more.toElement());
    assertThat(StoredMessage.message(ofTree).toElement()).isEqualTo(meant);

    EnvelopeCodec envelopes = new EnvelopeCodec(8 << 20);
    Envelope envelope = Envelope.of(message);
    assertThat(
            envelopes
                .read(envelopes.write(envelope), (session, number) -> Origin.NONE)
                .stanza()
                .toElement())
        .isEqualTo(meant);
    Envelope several = envelope.withSessions(List.of(SESSION, OTHER));
    Envelope crossed = envelopes.read(envelopes.write(several), (session, number) -> Origin.NONE);
    assertThat(crossed.others()).containsExactly(OTHER);
    assertThat(crossed.stanza().toElement()).isEqualTo(several.stanza().toElement());
    LinkCodec links = new LinkCodec(8 << 20);
    ToSession value = links.readToSession(LinkCodec.write(new ToSession.Received(message, 1)));
    assertThat(((ToSession.Received) value).stanza().toElement()).isEqualTo(meant);

    Stanza copy = Stanza.of(carbonCopy(carbonCopy(meant)));
    assertThat(read(written(copy)).toElement()).isEqualTo(copy.toElement());
  }

  private static Element carbonCopy(Element message) {
    return Element.builder(Namespaces.CLIENT, "message")
        .child(
            Element.builder("urn:xmpp:carbons:2", "received")
                .child(Element.builder("urn:xmpp:forward:0", "forwarded").child(message).build())
                .build())
        .build();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<presence type='subscribe' to='v@example.org' xmlns:p=\"QUOTES\" p:a=''/>",
        "<message to='v@example.org' xmlns:p=\"QUOTES\"><body>x</body><p:x/></message>",
        "<message to='v@example.org' odd='1'><x xmlns=\"QUOTES\" a=\"QUOTES\"/></message>"
      })
  void namesFullOfQuotesAreReadAgain(String xml) throws Exception {
    Stanza stanza = Stanza.received(frame(xml.replace("QUOTES", QUOTES)));
    assertThat(read(written(stanza)).toElement()).isEqualTo(stanza.toElement());
    assertThat(written(tree(stanza)).length)
        .isLessThan(2 * xml.replace("QUOTES", QUOTES).length() + ALLOWANCE);
  }

  @Test
  void aStanzaThatWouldGrowToMegabytesIsRejected() {
    String growing = HostileStanzas.growing("urn:" + "x".repeat(900), 250_000);
    String xml = "<message to='v@example.org'" + growing + "</message>";
    assertThatThrownBy(() -> Stanza.received(frame(xml)))
        .isInstanceOfSatisfying(
            StanzaFormatException.class,
            e -> assertThat(e.condition()).isEqualTo(ErrorCondition.NOT_ACCEPTABLE));
  }

  @Test
  void theLargestThatAConfigurationMayAllowIsReadInsideAnother() throws Exception {
    XmlLimits most = XmlLimits.MAXIMUM;
    int depth = most.maxDepth() - 1;
    int attributes = most.maxAttributes() / 2 - 1;
    StringBuilder deep = new StringBuilder("<message>");
    String namespace = "&amp;".repeat(most.maxNameBytes() / 5 - 2);
    for (int i = 0; i < depth; i++) {
      deep.append("<x xmlns='").append(i % 2 == 0 ? namespace : "urn:x").append("'");
      deep.append(i == 0 ? " a='" + ">".repeat(5_000) + "'" : "").append('>');
    }
    deep.append("<y");
    for (int i = 0; i < attributes; i++) {
      deep.append(" xmlns:p" + i + "='" + namespace + i + "' p" + i + ":a='\"'");
    }
    deep.append("/>").append("</x>".repeat(depth - 1)).append("</x></message>");
    Stanza stanza = Stanza.received(frame(deep.toString()));
    Stanza copy = Stanza.of(carbonCopy(carbonCopy(stanza.toElement())));
    assertThat(read(written(copy)).toElement()).isEqualTo(copy.toElement());
    assertThat(read(written(tree(stanza))).toElement()).isEqualTo(stanza.toElement());
  }

  @Test
  void aSectionFullOfMarkupIsRejected() {
    String xml = "<message odd='1'><body><![CDATA[" + "&".repeat(9_000) + "]]></body></message>";
    assertThatThrownBy(() -> Stanza.received(frame(xml))).isInstanceOf(StanzaFormatException.class);
  }

  @Test
  void ordinaryPrefixesAndSectionsAreAccepted() throws Exception {
    StringBuilder xml = new StringBuilder("<p:message xmlns:p='jabber:client' xmlns:x='urn:x:1'>");
    for (int i = 0; i < 500; i++) {
      xml.append("<x:item x:id='1'><![CDATA[if (a < b && c > d)]]></x:item>");
    }
    Stanza stanza = Stanza.received(frame(xml + "</p:message>"));
    assertThat(stanza.payloadNames()).hasSize(500);
  }

  private static Frame frame(String xml) throws XmlException {
    return XmlParser.frame(xml, Namespaces.CLIENT);
  }

  private static Stanza tree(Stanza stanza) throws IllegalStateException {
    try {
      return Stanza.of(stanza.toElement());
    } catch (StanzaFormatException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Stanza read(byte[] bytes) throws Exception {
    return Stanza.of(XmlParser.frame(bytes, 0, Namespaces.CLIENT));
  }

  private static byte[] written(Stanza stanza) {
    ByteArraySink sink = new ByteArraySink(64);
    stanza.writeTo(sink);
    return sink.toByteArray();
  }
}
