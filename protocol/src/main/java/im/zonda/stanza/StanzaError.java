package im.zonda.stanza;

import im.zonda.xml.Element;
import im.zonda.xml.QName;
import org.jspecify.annotations.Nullable;

/// The `<error/>` of a stanza (RFC 6120, section 8.3).
///
/// @param condition the defined condition
/// @param type what the sender may do
/// @param text a human-readable text, or null
/// @param detail an application-specific condition, or null
public record StanzaError(
    ErrorCondition condition, ErrorType type, @Nullable String text, @Nullable Element detail) {
  /// An error with the condition's usual type and no text.
  public static StanzaError of(ErrorCondition condition) {
    return new StanzaError(condition, condition.type(), null, null);
  }

  /// A copy with this text.
  public StanzaError withText(String newText) {
    return new StanzaError(condition, type, newText, detail);
  }

  /// A copy with this application-specific condition.
  public StanzaError withDetail(Element newDetail) {
    return new StanzaError(condition, type, text, newDetail);
  }

  /// The `<error/>` element in the namespace `jabber:client`.
  public Element toElement() {
    Element.Builder error =
        Element.builder(Namespaces.CLIENT, "error").attribute("type", type.value());
    error.child(Element.of(Namespaces.STANZA_ERRORS, condition.elementName()));
    if (text != null) {
      error.child(Element.text(new QName(Namespaces.STANZA_ERRORS, "text"), text));
    }
    if (detail != null) {
      error.child(detail);
    }
    return error.build();
  }
}
