package im.zonda.stanza;

import im.zonda.xml.ByteArraySink;
import im.zonda.xml.ByteSink;
import im.zonda.xml.Element;
import im.zonda.xml.XmlWriter;
import im.zonda.xml.framing.Frame;

/// Whether a received stanza may be passed on: what it takes when its tree is written again, and
/// whether a peer as strict as this server would read that.
///
/// Confined to one call; keeps no more bytes than its limit.
final class Rewriting implements ByteSink {
  /// The bytes by which a rewritten stanza may exceed twice the received one.
  static final int ALLOWANCE = 1_024;

  private static final int MAX_GROWTH = 2;

  private final ByteArraySink written;
  private final int limit;

  private Rewriting(int received, int limit) {
    this.written = new ByteArraySink(received);
    this.limit = limit;
  }

  /// Whether the stanza that came in that frame may be passed on.
  static boolean isAcceptable(Element stanza, Frame frame) {
    int received = frame.bytes().length;
    long most = Math.min((long) MAX_GROWTH * received + ALLOWANCE, frame.maxBytes());
    Rewriting rewriting = new Rewriting(received, (int) most);
    try {
      XmlWriter.write(stanza, Namespaces.CLIENT, rewriting);
    } catch (TooLong e) {
      return false;
    }
    return frame.allows(rewriting.written.toByteArray());
  }

  @Override
  public void put(int value) {
    ensure(1);
    written.put(value);
  }

  @Override
  public void put(byte[] source, int offset, int length) {
    ensure(length);
    written.put(source, offset, length);
  }

  private void ensure(int bytes) {
    if (written.size() > limit - bytes) {
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
