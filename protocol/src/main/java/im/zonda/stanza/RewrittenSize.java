package im.zonda.stanza;

import im.zonda.xml.ByteSink;
import im.zonda.xml.Element;
import im.zonda.xml.XmlWriter;

/// Counts what a received stanza takes when it is written again, without keeping the bytes, and
/// stops at its limit.
final class RewrittenSize implements ByteSink {
  /// The bytes by which a rewritten stanza may exceed twice the received one.
  static final int ALLOWANCE = 1_024;

  private static final int MAX_GROWTH = 2;

  private long left;

  private RewrittenSize(long limit) {
    left = limit;
  }

  /// Whether a stanza may be passed on that came in so many bytes.
  static boolean isAcceptable(Element stanza, int receivedBytes) {
    try {
      XmlWriter.write(
          stanza,
          Namespaces.CLIENT,
          new RewrittenSize((long) MAX_GROWTH * receivedBytes + ALLOWANCE));
      return true;
    } catch (TooLong e) {
      return false;
    }
  }

  @Override
  public void put(int value) {
    count(1);
  }

  @Override
  public void put(byte[] source, int offset, int length) {
    count(length);
  }

  private void count(int bytes) {
    left -= bytes;
    if (left < 0) {
      throw new TooLong();
    }
  }

  /// Ends the writing.
  private static final class TooLong extends RuntimeException {
    private static final long serialVersionUID = 1;

    TooLong() {
      super(null, null, false, false);
    }
  }
}
