package im.zonda.xml;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The opening tag of a stream (RFC 6120, section 4.7), as received.
///
/// @param name the root element's name
/// @param attributes its attributes, without namespace declarations
/// @param defaultNamespace the declared default namespace; empty when none is declared
public record StreamHeader(QName name, Map<QName, String> attributes, String defaultNamespace) {
  /// The value of the attribute with this local name and no namespace, or null.
  public @Nullable String attribute(String localName) {
    return attributes.get(new QName("", localName));
  }

  /// The value of `xml:lang`, or null.
  public @Nullable String lang() {
    return attributes.get(new QName("http://www.w3.org/XML/1998/namespace", "lang"));
  }
}
