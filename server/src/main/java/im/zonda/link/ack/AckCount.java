package im.zonda.link.ack;

import org.jspecify.annotations.Nullable;

/// Verdict on a peer's count `h` of the stanzas that it was sent (XEP-0198, section 4).
///
/// The counts that are exchanged are modulo 2 to the power of 32; those of this process are not.
public enum AckCount {
  /// The stanzas up to [#number] are acknowledged.
  VALID,
  /// A count from the past: it says nothing new.
  OLD,
  /// More than was sent.
  TOO_HIGH;

  /// In place of a count that cannot be read.
  public static final long NONE = -1;

  private static final long MODULUS = 1L << 32;
  private static final int DIGITS = 10;

  /// Compares a count with what was sent.
  ///
  /// @param acknowledged how many stanzas the peer has acknowledged before
  /// @param sent how many it was sent
  public static AckCount of(long h, long acknowledged, long sent) {
    long more = Math.floorMod(h - acknowledged, MODULUS);
    if (more <= sent - acknowledged) {
      return VALID;
    }
    return more < MODULUS / 2 ? TOO_HIGH : OLD;
  }

  /// The number of the last stanza that a [#VALID] count acknowledges.
  ///
  /// @param acknowledged how many stanzas the peer has acknowledged before
  public static long number(long h, long acknowledged) {
    return acknowledged + Math.floorMod(h - acknowledged, MODULUS);
  }

  /// Reads a number of the type `unsignedInt`, of which all counts of XEP-0198 are.
  ///
  /// @return from 0 to below 2 to the power of 32; [#NONE] for any other text
  public static long unsignedInt(@Nullable String text) {
    if (text == null || text.isEmpty() || text.length() > DIGITS) {
      return NONE;
    }
    long value = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < '0' || c > '9') {
        return NONE;
      }
      value = value * 10 + (c - '0');
    }
    return value < MODULUS ? value : NONE;
  }

  /// A count of this process as it is exchanged.
  public static String onWire(long count) {
    return Long.toString(count & (MODULUS - 1));
  }
}
