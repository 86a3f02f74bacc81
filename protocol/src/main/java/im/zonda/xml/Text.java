package im.zonda.xml;

/// Character data, unescaped.
///
/// @param value the characters
public record Text(String value) implements Node {}
