package im.zonda.stream.server;

import im.zonda.jid.Jid;
import im.zonda.stanza.Message;
import im.zonda.stanza.Stanza;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.List;
import java.util.Objects;

/// Chat messages of tests.
final class TestStanzas {
  private static final QName BODY = new QName("jabber:client", "body");

  private TestStanzas() {}

  /// A message whose id is its body.
  static Message message(String from, String to, String body) {
    return Message.of(
        Message.Type.CHAT, Jid.of(from), Jid.of(to), body, List.of(Element.text(BODY, body)));
  }

  /// The body of a message.
  static String body(Stanza stanza) {
    return Objects.requireNonNull(stanza.toElement().child(BODY)).text();
  }
}
