package im.zonda.xml.framing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.xml.QName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KnownNamesTest {
  @ParameterizedTest
  @CsvSource({
    "jabber:client, message",
    "jabber:client, body",
    "http://jabber.org/protocol/chatstates, active",
    "urn:xmpp:csi:0, active",
    "urn:xmpp:hints, no-permanent-store",
    "urn:xmpp:sid:0, origin-id",
    "vcard-temp, vCard",
    "urn:xmpp:ping, ping",
  })
  void knownNamesAreShared(String namespace, String local) {
    String found = namespace(namespace);
    assertThat(found).isEqualTo(namespace).isSameAs(namespace(namespace));
    QName name = name(found, local);
    assertThat(name).isEqualTo(new QName(namespace, local)).isSameAs(name(found, local));
    assertThat(name(found, local + "x")).isEqualTo(new QName(namespace, local + "x"));
    assertThat(namespace(namespace + "x")).isEqualTo(namespace + "x");
  }

  @Test
  void unknownNamesAreNotRetained() {
    assertThat(name("urn:unknown", "body"))
        .isEqualTo(new QName("urn:unknown", "body"))
        .isNotSameAs(name("urn:unknown", "body"));
    assertThat(namespace("urn:unknown")).isNotSameAs(namespace("urn:unknown"));
    assertThat(namespace("")).isEmpty();
    assertThat(namespace("a&amp;b")).isEqualTo("a&b");
  }

  private static String namespace(String text) {
    byte[] bytes = ("xx" + text + "y").getBytes(UTF_8);
    return KnownNames.namespace(bytes, 2, bytes.length - 1);
  }

  private static QName name(String namespace, String text) {
    byte[] bytes = ("xx" + text + "y").getBytes(UTF_8);
    return KnownNames.name(namespace, bytes, 2, bytes.length - 1);
  }
}
