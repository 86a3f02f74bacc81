package im.zonda.module.muc.room;

import org.jspecify.annotations.Nullable;

/// Estimates of the memory that parts of a room use, in bytes.
public final class MemoryCost {
  /// An affiliation without its texts: an address and the entries of two maps.
  static final int AFFILIATION = 256;

  /// One character; not all texts are Latin-1.
  private static final int CHAR = 2;

  /// A short text without its characters.
  private static final int TEXT = 64;

  private MemoryCost() {}

  /// The bytes of a text; 0 for null.
  public static long ofText(@Nullable String text) {
    return text == null ? 0 : TEXT + (long) CHAR * text.length();
  }
}
