package im.zonda.link.ack;

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

  private static final long MODULUS = 1L << 32;

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

  /// A count of this process as it is exchanged.
  public static String onWire(long count) {
    return Long.toString(count & (MODULUS - 1));
  }
}
