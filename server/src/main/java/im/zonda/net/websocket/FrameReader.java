package im.zonda.net.websocket;

/// Cuts the bytes of a client into frames (RFC 6455, section 5). Confined to one thread.
final class FrameReader {
  /// What a client may be closed for (RFC 6455, section 7.4.1).
  static final int PROTOCOL_ERROR = 1_002;

  static final int UNSUPPORTED = 1_003;

  static final int CONTINUATION = 0;
  static final int TEXT = 1;
  static final int BINARY = 2;
  static final int CLOSE = 8;
  static final int PING = 9;
  static final int PONG = 10;

  private static final int MAX_CONTROL = 125;
  private static final int MAX_HEADER = 14;

  /// Takes what is in the frames.
  interface Handler {
    /// A part of a message.
    void payload(byte[] bytes, int offset, int length);

    /// A message has ended.
    void messageEnd();

    /// A control frame; the array may be kept.
    void control(int opcode, byte[] payload);

    /// Whether nothing more is wanted.
    boolean isDone();
  }

  private final byte[] header = new byte[MAX_HEADER];
  private int headerBytes;

  /// The payload of the current frame that has not come; -1 between frames.
  private long left = -1;

  private int opcode;
  private boolean last;
  private int maskAt;
  private int maskFrom;
  private boolean inMessage;
  private byte[] control = new byte[0];
  private int controlBytes;

  /// Takes bytes, which are unmasked in place; returns 0, or why the connection must be closed.
  int read(byte[] bytes, int length, Handler handler) {
    int p = 0;
    while (p < length && !handler.isDone()) {
      if (left < 0) {
        header[headerBytes++] = bytes[p++];
        int failure = header();
        if (failure != 0) {
          return failure;
        }
      } else {
        int count = (int) Math.min(left, length - p);
        unmask(bytes, p, count);
        take(bytes, p, count, handler);
        p += count;
        left -= count;
      }
      if (left == 0) {
        end(handler);
      }
    }
    return 0;
  }

  /// Reads the header if it is complete.
  private int header() {
    if (headerBytes == 1) {
      return (header[0] & 0x70) == 0 ? 0 : PROTOCOL_ERROR; // an extension
    }
    if ((header[1] & 0x80) == 0) {
      return PROTOCOL_ERROR; // not masked
    }
    int form = header[1] & 0x7F;
    int lengthBytes = form == 127 ? 8 : form == 126 ? 2 : 0;
    if (headerBytes < 2 + lengthBytes + 4) {
      return 0;
    }
    long size = form;
    if (lengthBytes > 0) {
      size = 0;
      for (int i = 0; i < lengthBytes; i++) {
        size = size << 8 | (header[2 + i] & 0xFF);
      }
      if (size < (lengthBytes == 2 ? 126 : 65_536)) {
        return PROTOCOL_ERROR; // not the shortest form, or negative
      }
    }
    maskFrom = 2 + lengthBytes;
    maskAt = 0;
    headerBytes = 0;
    last = (header[0] & 0x80) != 0;
    opcode = header[0] & 0x0F;
    left = size;
    return checkOpcode();
  }

  private int checkOpcode() {
    if (opcode >= CLOSE) {
      if (opcode > PONG || !last || left > MAX_CONTROL) {
        return PROTOCOL_ERROR;
      }
      control = new byte[(int) left];
      controlBytes = 0;
      return 0;
    }
    if (opcode > BINARY || inMessage != (opcode == CONTINUATION)) {
      return PROTOCOL_ERROR;
    }
    inMessage = true;
    return opcode == BINARY ? UNSUPPORTED : 0; // RFC 7395, section 3.2
  }

  private void unmask(byte[] bytes, int from, int count) {
    for (int i = from; i < from + count; i++) {
      bytes[i] ^= header[maskFrom + maskAt];
      maskAt = (maskAt + 1) & 3;
    }
  }

  private void take(byte[] bytes, int from, int count, Handler handler) {
    if (opcode >= CLOSE) {
      System.arraycopy(bytes, from, control, controlBytes, count);
      controlBytes += count;
    } else if (count > 0) {
      handler.payload(bytes, from, count);
    }
  }

  private void end(Handler handler) {
    left = -1;
    if (opcode >= CLOSE) {
      byte[] payload = control;
      control = new byte[0];
      handler.control(opcode, payload);
    } else if (last) {
      inMessage = false;
      handler.messageEnd();
    }
  }
}
