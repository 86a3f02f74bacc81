package im.zonda.home.lifecycle;

import static java.nio.charset.StandardCharsets.UTF_8;

import im.zonda.stanza.Message;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaFormatException;
import im.zonda.xml.QName;
import im.zonda.xml.XmlException;
import im.zonda.xml.framing.XmlParser;

/// Stanzas from text, and text from stanzas.
public final class TestStanzas {
  private TestStanzas() {}

  public static Stanza of(String xml) {
    try {
      return Stanza.of(XmlParser.frame(xml, "jabber:client"));
    } catch (XmlException | StanzaFormatException e) {
      throw new IllegalArgumentException(xml, e);
    }
  }

  /// A chat message of Romeo's with that body.
  public static Stanza message(String body) {
    return of(
        "<message from='romeo@example.org/orchard' to='juliet@example.org/balcony' type='chat'>"
            + "<body>"
            + body
            + "</body></message>");
  }

  /// Presence of that sender with that status.
  public static Stanza presence(String from, String status) {
    return of(
        "<presence from='"
            + from
            + "' to='juliet@example.org/balcony'><status>"
            + status
            + "</status></presence>");
  }

  /// A copy of a received message with one more child, whose bytes are no XML.
  public static Message unreadable(Stanza received) {
    return ((Message) received)
        .withPayload(new QName("urn:xmpp:hints", "broken"), "<broken <>".getBytes(UTF_8));
  }

  /// What tells one test's stanza from another: body, status, or the name of the element.
  public static String text(Stanza stanza) {
    String inner =
        switch (stanza) {
          case Message message -> childText(message, "body");
          case Presence presence -> childText(presence, "status");
          default -> "";
        };
    return inner.isEmpty() ? stanza.toElement().name().name() : inner;
  }

  private static String childText(Stanza stanza, String name) {
    var child = stanza.toElement().child(name);
    return child == null ? "" : child.text();
  }
}
