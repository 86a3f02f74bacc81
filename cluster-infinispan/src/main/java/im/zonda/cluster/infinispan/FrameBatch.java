package im.zonda.cluster.infinispan;

import im.zonda.cluster.engine.ClusterEngine;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/// Several frames as one message: the length of each as four bytes, then its bytes.
final class FrameBatch {
  private FrameBatch() {}

  static byte[] join(List<byte[]> frames) {
    int size = 0;
    for (byte[] frame : frames) {
      size += Integer.BYTES + frame.length;
    }
    ByteBuffer out = ByteBuffer.allocate(size);
    for (byte[] frame : frames) {
      out.putInt(frame.length).put(frame);
    }
    return out.array();
  }

  /// The frames of a message.
  ///
  /// @throws IllegalArgumentException if it is not such a message
  static List<byte[]> split(byte[] bytes, int offset, int length) {
    ByteBuffer in = ByteBuffer.wrap(bytes, offset, length);
    List<byte[]> frames = new ArrayList<>();
    while (in.hasRemaining()) {
      int size = in.remaining() < Integer.BYTES ? -1 : in.getInt();
      if (size < 0 || size > in.remaining() || size > ClusterEngine.MAX_FRAME) {
        throw new IllegalArgumentException("a frame of " + size + " bytes");
      }
      byte[] frame = new byte[size];
      in.get(frame);
      frames.add(frame);
    }
    return frames;
  }
}
