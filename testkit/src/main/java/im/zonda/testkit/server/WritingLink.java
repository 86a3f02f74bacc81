package im.zonda.testkit.server;

import im.zonda.link.LinkCodec;
import im.zonda.link.LinkFormatException;
import im.zonda.link.SessionGate;
import im.zonda.link.ToSession;
import im.zonda.link.ToStream;

/// Links that write every value to bytes and read it back, in both directions, as links between two
/// processes do: what is not in the bytes does not arrive.
final class WritingLink {
  private static final LinkCodec FORM = new LinkCodec(16 << 20);

  private WritingLink() {}

  /// The same gate, with such links.
  static SessionGate over(SessionGate gate) {
    return stream -> {
      var session = gate.open(value -> stream.receive(copy(value)));
      return value -> session.receive(copy(value));
    };
  }

  private static ToStream copy(ToStream value) {
    try {
      return FORM.readToStream(LinkCodec.write(value));
    } catch (LinkFormatException e) {
      throw new AssertionError("cannot be read: " + value, e);
    }
  }

  private static ToSession copy(ToSession value) {
    try {
      return FORM.readToSession(LinkCodec.write(value));
    } catch (LinkFormatException e) {
      throw new AssertionError("cannot be read: " + value, e);
    }
  }
}
