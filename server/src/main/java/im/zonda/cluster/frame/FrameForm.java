package im.zonda.cluster.frame;

import im.zonda.cluster.placement.Stamp;

/// The binary form of a [Frame]: version, kind, epoch and topology of the stamp, the sender, the
/// counts; then, in a frame of data, the value as tag, length and fields. Fields are written by
/// [FrameOutput], and the kinds of values are in [ValueForm].
public final class FrameForm {
  private static final int DATA = 1;
  private static final int STATUS = 2;
  private static final int HEAD = 64;

  private FrameForm() {}

  /// The bytes of a frame.
  public static byte[] write(Frame frame) {
    FrameOutput out = new FrameOutput(HEAD);
    out.octet(frame.version());
    out.octet(frame instanceof Frame.Data ? DATA : STATUS);
    out.number(frame.stamp().epoch());
    out.number(frame.stamp().topology());
    out.member(frame.from());
    out.number(frame.received());
    switch (frame) {
      case Frame.Data data -> {
        out.number(data.number());
        write(data.value(), out);
      }
      case Frame.Status status -> {
        out.number(status.sent());
        out.flag(status.again());
      }
    }
    return out.toByteArray();
  }

  private static <T extends NodeValue> void write(T value, FrameOutput out) {
    ValueForm<T> form = ValueForm.of(value);
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
    if (version != Frame.VERSION) {
      throw new FrameFormatException("version " + version + " instead of " + Frame.VERSION);
    }
    int kind = in.octet();
    Stamp stamp = new Stamp(in.number(), in.number());
    var from = in.member();
    long received = in.number();
    Frame frame =
        switch (kind) {
          case DATA -> new Frame.Data(version, stamp, from, received, in.number(), value(in));
          case STATUS -> new Frame.Status(version, stamp, from, received, in.number(), in.flag());
          default -> throw new FrameFormatException("kind " + kind);
        };
    in.end();
    return frame;
  }

  private static NodeValue value(FrameInput in) throws FrameFormatException {
    int tag = in.octet();
    ValueForm<?> form = ValueForm.of(tag);
    if (form == null) {
      throw new FrameFormatException("tag " + tag);
    }
    // What follows the known fields is of a later version.
    return form.reader().read(in.nested());
  }
}
