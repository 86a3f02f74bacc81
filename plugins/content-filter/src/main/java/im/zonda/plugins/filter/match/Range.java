package im.zonda.plugins.filter.match;

/// A part of a text.
///
/// @param start the index of its first char
/// @param end the index after its last char
public record Range(int start, int end) {
  /// Whether all of another part is in it.
  boolean contains(Range other) {
    return start <= other.start && other.end <= end;
  }
}
