package im.zonda.testkit.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class WebSocketWireTest {
  @Test
  void eachElementIsAMessageOfItsOwn() {
    assertThat(
            WebSocketWire.messages(
                "<?xml version='1.0'?><stream:stream xmlns='jabber:client' to='a.example'>"
                    + "<presence/><message><body>1 &gt; 0</body></message></stream:stream>"))
        .containsExactly(
            "<open xmlns='urn:ietf:params:xml:ns:xmpp-framing' to='a.example'/>",
            "<presence/>",
            "<message><body>1 &gt; 0</body></message>",
            "<close xmlns='urn:ietf:params:xml:ns:xmpp-framing'/>");
  }

  @Test
  void anElementGetsTheNamespaceThatItLeavesToTheStream() {
    assertThat(WebSocketWire.declared("<presence/>"))
        .isEqualTo("<presence xmlns='jabber:client'/>");
    assertThat(WebSocketWire.declared("<message to='a'><x xmlns='urn:x'/></message>"))
        .isEqualTo("<message xmlns='jabber:client' to='a'><x xmlns='urn:x'/></message>");
    String declared = "<r xmlns='urn:xmpp:sm:3'/>";
    assertThat(WebSocketWire.declared(declared)).isEqualTo(declared);
    assertThat(WebSocketWire.declared("no markup")).isEqualTo("no markup");
  }

  /// A browser reads each message as a document.
  @Test
  void anElementThatUsesAPrefixOfTheStreamIsRefused() throws Exception {
    String whole = "<message xmlns='jabber:client'><x xmlns='urn:x'/></message>";
    assertThat(WebSocketWire.element(whole)).isEqualTo(whole);
    assertThatThrownBy(
            () -> WebSocketWire.element("<message xmlns='jabber:client'><stream:x/></message>"))
        .hasMessageStartingWith("no document: <message");
  }
}
