package im.zonda.home.account;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.xml.Element;
import im.zonda.xml.framing.XmlParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StanzaIdsTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "romeo@example.org",
        "r\u00f6m\u00e9o@ex\u00e4mple.org",
        "a$#;=?!%*{}|~`^[]()@[::1]"
      })
  void itIsTheElementThatATreeWouldGive(String address) throws Exception {
    Jid by = Jid.of(address);
    assertThat(XmlParser.parse(StanzaIds.write(by, 1_763_700_000_000_001L)))
        .isEqualTo(
            Element.builder(StanzaIds.NAME)
                .attribute("by", by.toString())
                .attribute("id", "1763700000000001")
                .build());
  }

  @Test
  void everyByteIsUsed() {
    assertThat(
            new String(StanzaIds.write(Jid.of("a@b"), -1), java.nio.charset.StandardCharsets.UTF_8))
        .isEqualTo("<stanza-id xmlns='urn:xmpp:sid:0' by='a@b' id='-1'/>");
  }
}
