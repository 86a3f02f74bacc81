package im.zonda.cluster.frame;

import im.zonda.cluster.placement.Stamp;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The binary form of a [Frame]: version, kind, epoch and topology of the stamp, the sender, the
/// counts; then, in a frame of data, the value as tag, length and fields. Fields are written by
/// [FrameOutput], and the kinds of values are in [NodeValueCodec].
public final class FrameCodec {
  private static final int DATA = 1;
  private static final int STATUS = 2;
  private static final int HEAD = 64;

  /// From this version on frames have this form.
  private static final int OLDEST = 1;

  private static final Logger LOG = LoggerFactory.getLogger(FrameCodec.class);

  private FrameCodec() {}

  /// The bytes of a frame.
  public static byte[] write(Frame frame) {
    FrameOutput out = new FrameOutput(HEAD);
    out.octet(frame.version());
    out.octet(frame instanceof Frame.Status ? STATUS : DATA);
    out.number(frame.stamp().epoch());
    out.number(frame.stamp().topology());
    out.member(frame.from());
    out.number(frame.received());
    switch (frame) {
      case Frame.Data data -> {
        out.number(data.number());
        write(data.value(), out);
      }
      case Frame.Unread unread -> {
        out.number(unread.number());
        out.octet(unread.tag());
        out.bytes(unread.fields().array());
      }
      case Frame.Status status -> {
        out.number(status.sent());
        out.flag(status.again());
      }
    }
    return out.toByteArray();
  }

  private static <T extends NodeValue> void write(T value, FrameOutput out) {
    NodeValueCodec<T> form = NodeValueCodec.of(value);
    FrameOutput fields = new FrameOutput(HEAD);
    form.writer().accept(value, fields);
    out.octet(form.tag());
    out.nested(fields);
  }

  /// The frame of bytes.
  ///
  /// @throws FrameFormatException if they are not a frame, or of another version
  public static Frame read(byte[] bytes) throws FrameFormatException {
    FrameInput in = new FrameInput(bytes);
    int version = in.octet();
    if (version < OLDEST || version > Frame.VERSION) {
      throw new FrameFormatException("version " + version + " instead of " + Frame.VERSION);
    }
    int kind = in.octet();
    Stamp stamp = new Stamp(in.number(), in.number());
    var from = in.member();
    long received = in.number();
    Frame frame =
        switch (kind) {
          case DATA -> {
            long number = in.number();
            int tag = in.octet();
            StanzaBytes fields = new StanzaBytes(in.bytes());
            NodeValue value = value(tag, fields);
            yield value == null
                ? new Frame.Unread(version, stamp, from, received, number, tag, fields)
                : new Frame.Data(version, stamp, from, received, number, value);
          }
          case STATUS -> new Frame.Status(version, stamp, from, received, in.number(), in.flag());
          default -> throw new FrameFormatException("kind " + kind);
        };
    in.end();
    return frame;
  }

  /// Null if it cannot be read.
  private static @Nullable NodeValue value(int tag, StanzaBytes fields) {
    try {
      NodeValueCodec<?> form = NodeValueCodec.of(tag);
      if (form == null) {
        throw new FrameFormatException("tag " + tag);
      }
      // What follows the known fields is of a later version.
      return form.reader().read(new FrameInput(fields.array()));
    } catch (FrameFormatException | RuntimeException e) {
      LOG.atError().addKeyValue("tag", tag).setCause(e).log("cluster_value_not_read");
      return null;
    }
  }
}
