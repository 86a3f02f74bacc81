package im.zonda.stanza;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.jid.Jid;
import im.zonda.jid.Property;
import im.zonda.xml.ByteArraySink;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import im.zonda.xml.XmlException;
import im.zonda.xml.XmlWriter;
import im.zonda.xml.framing.Documents;
import im.zonda.xml.framing.Frame;
import im.zonda.xml.framing.XmlParser;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/// A stanza that is forwarded as bytes equals the same stanza as a tree.
class ForwardingTest {
  private static final List<String> CONTENT =
      List.of("jabber:client", "jabber:server", "jabber:component:accept");

  private static final Jid FROM = Jid.of("a", "b", "c'&<\">");
  private static final Jid TO = Jid.of("juliet@example.com");

  @Test
  void bytesAndTreeAreEqual() {
    int[] kept = new int[1];
    Property.holds(
        4_000,
        random -> {
          Frame frame;
          try {
            frame = XmlParser.frame(Documents.stanza(random), "jabber:client");
          } catch (XmlException e) {
            return;
          }
          Stanza raw = changed(Stanza.of(frame), random);
          kept[0]++;
          assertThat(reread(raw)).isEqualTo(raw.toElement());
          assertThat(reread(Stanza.of(raw.toElement()))).isEqualTo(raw.toElement());
          assertThat(raw.payloads()).isEqualTo(raw.toElement().children());
          assertThat(raw.payloadNames())
              .isEqualTo(raw.payloads().stream().map(Element::name).toList());
        });
    assertThat(kept[0]).isGreaterThan(2_000);
  }

  private static Stanza changed(Stanza stanza, RandomGenerator random) {
    Stanza changed = stanza.withAddresses(FROM, random.nextBoolean() ? TO : null);
    Element payload = Documents.tree(random);
    if (random.nextBoolean()) {
      changed =
          standsAlone(payload) && changed instanceof Message message
              ? message.withPayload(payload.name(), written(payload))
              : changed.withPayload(payload);
      assertThat(changed.payloads()).endsWith(payload);
    }
    if (random.nextBoolean()) {
      boolean odd = random.nextBoolean();
      changed = changed.withoutPayloads(e -> (e.hashCode() & 1) == (odd ? 1 : 0));
    }
    if (random.nextInt(4) == 0 && changed instanceof Message message) {
      changed = message.withId("i'd");
      assertThat(changed.id()).isEqualTo("i'd");
    }
    if (random.nextInt(4) == 0) {
      changed = changed.withLang(random.nextBoolean() ? "d'e" : null);
    }
    if (random.nextBoolean()) {
      changed = changed.withPayload(payload).withAddresses(changed.from(), TO);
    }
    return changed;
  }

  private static boolean standsAlone(Element element) {
    try {
      return !element.name().namespace().isEmpty()
          && !element.name().namespace().equals(Namespaces.XML)
          && XmlParser.parse(written(element)).equals(element);
    } catch (XmlException e) {
      return false;
    }
  }

  private static byte[] written(Element element) {
    ByteArraySink sink = new ByteArraySink(16);
    XmlWriter.write(element, "", sink);
    return sink.toByteArray();
  }

  @Test
  void bytesAreValidInStreamsOfClientsServersAndComponents() {
    int[] kept = new int[1];
    Property.holds(
        4_000,
        random -> {
          String source = Documents.stanza(random);
          String explicit = CONTENT.get(random.nextInt(CONTENT.size()));
          String other = CONTENT.get(random.nextInt(CONTENT.size()));
          String xml =
              switch (random.nextInt(4)) {
                case 0 -> source.replaceFirst("<body", "<body xmlns='" + explicit + "'");
                case 1 ->
                    source.replaceFirst("<(message|iq|presence)", "<$1 xmlns='" + explicit + "'");
                case 2 -> source.replace("jabber:client", other);
                default -> source;
              };
          Stanza stanza;
          try {
            stanza = Stanza.of(XmlParser.frame(xml, explicit));
          } catch (XmlException | StanzaFormatException e) {
            return;
          }
          kept[0]++;
          Element meant = stanza.toElement();
          for (String stream : CONTENT) {
            assertThat(readIn(stream, stanza)).isEqualTo(meant);
          }
        });
    assertThat(kept[0]).isGreaterThan(2_000);
  }

  @Test
  void whatNamesTheContentNamespaceIsForwardedWithoutIt() throws Exception {
    Stanza ofServer =
        Stanza.of(
            XmlParser.frame(
                "<message xmlns='jabber:server'><body xmlns='jabber:server'>a</body>"
                    + "<s:thread xmlns:s='jabber:server'>b</s:thread>"
                    + "<forwarded xmlns='urn:xmpp:forward:0'><message xmlns='jabber:client'>"
                    + "<body>c</body></message></forwarded></message>",
                "jabber:server"));
    assertThat(written(ofServer))
        .isEqualTo(
            "<message><body>a</body><thread>b</thread>"
                + "<forwarded xmlns='urn:xmpp:forward:0'><message xmlns='jabber:client'>"
                + "<body>c</body></message></forwarded></message>");
    Stanza ofClient =
        Stanza.of(
            XmlParser.frame(
                "<message><body xmlns='jabber:server'>hidden from our own</body></message>",
                "jabber:client"));
    assertThat(((Message) ofClient).hasBody()).isTrue();
    assertThat(written(ofClient)).isEqualTo("<message><body>hidden from our own</body></message>");
  }

  @Test
  void aClientHidesNothingFromItsServerInTheNamespaceOfComponents() throws Exception {
    Stanza hidden =
        Stanza.of(
            XmlParser.frame(
                "<message><body xmlns='jabber:component:accept'>a</body></message>",
                "jabber:client"));
    assertThat(((Message) hidden).hasBody()).isTrue();
    assertThat(written(hidden)).isEqualTo("<message><body>a</body></message>");
  }

  @Test
  void ordinaryStanzasOfComponentsStayBytes() throws Exception {
    String xml = "<message  type=\"chat\"><body >a</body ></message>";
    Stanza stanza = Stanza.of(XmlParser.frame(xml, "jabber:component:accept"));
    assertThat(written(stanza)).isEqualTo("<message type=\"chat\"><body >a</body ></message>");
    assertThat(((Message) stanza).hasBody()).isTrue();
  }

  @Test
  void ordinaryStanzasOfServersStayBytes() throws Exception {
    String xml = "<message xmlns='jabber:server'  type=\"chat\"><body >a</body ></message>";
    Stanza stanza = Stanza.of(XmlParser.frame(xml, "jabber:server"));
    assertThat(written(stanza)).isEqualTo("<message type=\"chat\"><body >a</body ></message>");
    assertThat(((Message) stanza).hasBody()).isTrue();
  }

  private static String written(Stanza stanza) {
    ByteArraySink sink = new ByteArraySink(16);
    stanza.writeTo(sink);
    return new String(sink.toByteArray(), UTF_8);
  }

  private static Element readIn(String namespace, Stanza stanza) throws Exception {
    return Stanza.of(XmlParser.frame(written(stanza), namespace)).toElement();
  }

  @Test
  void bytesThatAreNoElementAreRejected() {
    Message built = Message.of(Message.Type.CHAT, FROM, TO, "x", List.of());
    assertThatThrownBy(() -> built.withPayload(new QName("n", "x"), "<x".getBytes(UTF_8)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static Element reread(Stanza stanza) throws Exception {
    ByteArraySink sink = new ByteArraySink(16);
    stanza.writeTo(sink);
    return XmlParser.parse(new String(sink.toByteArray(), UTF_8), "jabber:client");
  }
}
