package im.zonda.xml;

/// Character data, unescaped.
///
/// @param value the characters; only those that XML 1.0 allows
public record Text(String value) implements Node {
  /// Creates a text node.
  ///
  /// @throws IllegalArgumentException if it has a character that XML 1.0 does not allow
  public Text {
    XmlChars.requireChars(value);
  }
}
