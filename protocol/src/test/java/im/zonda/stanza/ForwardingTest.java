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
  void bytesThatAreNoElementAreRejected() {
    Message built = Message.of(Message.Type.CHAT, FROM, TO, "x", List.of());
    assertThatThrownBy(() -> built.withPayload(new QName("n", "x"), "<x".getBytes(UTF_8)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static Element reread(Stanza stanza) throws XmlException {
    ByteArraySink sink = new ByteArraySink(16);
    stanza.writeTo(sink);
    return XmlParser.parse(new String(sink.toByteArray(), UTF_8), "jabber:client");
  }
}
