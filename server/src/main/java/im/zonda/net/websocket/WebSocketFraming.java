package im.zonda.net.websocket;

import im.zonda.net.AcceptedChannel.Declares;
import im.zonda.net.AcceptedChannel.Framing;
import im.zonda.stanza.Namespaces;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.stream.ByteStream;
import im.zonda.stream.FramedXml;
import im.zonda.stream.StreamOpening;
import im.zonda.xml.ByteArraySink;
import im.zonda.xml.Element;
import im.zonda.xml.XmlException;
import im.zonda.xml.framing.XmlParser;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The messages of one stream (RFC 7395, section 3.3): each is one element, which declares its
/// namespaces, and `<open/>` and `<close/>` are the stream's header and end. A [ByteStream] reads
/// them as the tags that they stand for.
public final class WebSocketFraming implements Framing {
  private static final byte[] CONTENT = ascii(" xmlns='" + Namespaces.CLIENT + "'");
  private static final byte[] STREAM =
      ascii(" xmlns='" + Namespaces.CLIENT + "' xmlns:stream='" + Namespaces.STREAM + "'");
  private static final byte[] NOTHING = {};

  private static final int TEXT_FRAME = 0x80 | FrameReader.TEXT;

  /// Room for the header of a message of 126 to 65,535 bytes.
  private static final int USUAL_HEADER = 4;

  /// The most bytes of `<open/>` or `<close/>`.
  private static final int MAX_HELD = 4_096;

  private static final int NORMAL = 1_000;

  private final Predicate<String> mayOpen;
  private final FrameReader reader = new FrameReader();

  /// The beginning of a message that may be `<open/>` or `<close/>`.
  private byte[] held = NOTHING;

  private int heldBytes;

  /// Whether the current message goes to the stream as it comes.
  private boolean passing;

  /// @param mayOpen whether the client may open a stream to a domain
  public WebSocketFraming(Predicate<String> mayOpen) {
    this.mayOpen = mayOpen;
  }

  @Override
  public boolean input(byte[] bytes, int length, ByteStream stream, Consumer<byte[]> out) {
    stream.restrictHeaders(mayOpen);
    Messages messages = new Messages(stream);
    int failure = reader.read(bytes, length, messages);
    byte[] ping = messages.ping;
    if (ping != null) {
      out.accept(frame(FrameReader.PONG, ping));
    }
    stream.stream().noteInput();
    if (failure == 0 && !messages.closed) {
      return true;
    }
    if (!stream.stream().closed()) { // otherwise it has been sent
      out.accept(closing(failure == 0 ? NORMAL : failure));
    }
    return false;
  }

  /// What one call of [#input] brings.
  private final class Messages implements FrameReader.Handler {
    private final ByteStream stream;

    /// The last ping, which is the only one to be answered (RFC 6455, section 5.5.3).
    private byte @Nullable [] ping;

    private boolean closed;

    private Messages(ByteStream stream) {
      this.stream = stream;
    }

    @Override
    public void payload(byte[] bytes, int offset, int length) {
      if (passing) {
        stream.input(bytes, offset, length);
        return;
      }
      if (heldBytes == 0 && length >= 2 && isStanza(bytes[offset], bytes[offset + 1])) {
        passing = true;
        stream.input(bytes, offset, length);
        return;
      }
      hold(bytes, offset, length);
      if (heldBytes >= 2 && isStanza(held[0], held[1])) {
        passing = true;
        stream.input(held, 0, heldBytes);
        heldBytes = 0;
      }
    }

    private void hold(byte[] bytes, int offset, int length) {
      if (heldBytes + length > MAX_HELD) {
        fail(StreamErrorCondition.POLICY_VIOLATION, "too many bytes");
        return;
      }
      if (held.length < heldBytes + length) {
        held = Arrays.copyOf(held, heldBytes + length);
      }
      System.arraycopy(bytes, offset, held, heldBytes, length);
      heldBytes += length;
    }

    @Override
    public void messageEnd() {
      if (passing) {
        passing = false;
        if (!stream.stream().closed() && stream.unfinishedBytes() > 0) {
          fail(StreamErrorCondition.NOT_WELL_FORMED, "a message is one whole element");
        }
        return;
      }
      byte[] message = Arrays.copyOf(held, heldBytes);
      held = NOTHING;
      heldBytes = 0;
      if (message.length == 0 || message[0] != '<') {
        fail(StreamErrorCondition.BAD_FORMAT, "a message begins with an element");
        return;
      }
      try {
        element(message);
      } catch (XmlException e) {
        fail(StreamErrorCondition.valueOf(e.condition().name()), null);
      }
    }

    /// Handles `<open/>`, `<close/>` and what only begins as they do.
    private void element(byte[] message) throws XmlException {
      String text = new String(message, StandardCharsets.UTF_8);
      boolean open = text.matches("(?s)<open[\\s/>].*");
      if (!open && !text.matches("(?s)<close[\\s/>].*")) {
        stream.input(message, 0, message.length);
        return;
      }
      Element element = XmlParser.parse(message);
      if (!element.name().namespace().equals(FramedXml.NAMESPACE)) {
        fail(StreamErrorCondition.INVALID_NAMESPACE, null);
        return;
      }
      if (open) {
        stream.open(FramedXml.header(element));
      } else {
        byte[] end = FramedXml.end();
        stream.input(end, 0, end.length);
      }
    }

    private void fail(StreamErrorCondition condition, @Nullable String text) {
      stream.stream().fail(condition, text);
    }

    @Override
    public void control(int opcode, byte[] payload) {
      switch (opcode) {
        case FrameReader.PING -> ping = payload;
        case FrameReader.CLOSE -> closed = true;
        default -> {}
      }
    }

    @Override
    public boolean isDone() {
      return closed || stream.stream().closed();
    }
  }

  /// Whether an element that begins like that is neither `<open/>` nor `<close/>`.
  private static boolean isStanza(byte first, byte second) {
    return first == '<' && second != 'o' && second != 'c';
  }

  // ---- output

  @Override
  public void open(StreamOpening opening, ByteBuf target) {
    ByteArraySink bytes = new ByteArraySink(256);
    FramedXml.writeOpen(opening, bytes);
    target.writeBytes(frame(FrameReader.TEXT, bytes.toByteArray()));
  }

  @Override
  public void close(ByteBuf target) {
    ByteArraySink bytes = new ByteArraySink(256);
    FramedXml.writeClose(bytes);
    target.writeBytes(frame(FrameReader.TEXT, bytes.toByteArray())).writeBytes(closing(NORMAL));
  }

  private static byte[] closing(int code) {
    return frame(FrameReader.CLOSE, new byte[] {(byte) (code >> 8), (byte) code});
  }

  @Override
  public int begin(ByteBuf target, Declares declares) {
    int start = target.writerIndex();
    target.writeZero(USUAL_HEADER + bytes(declares).length);
    return start;
  }

  @Override
  public void end(ByteBuf target, int start, Declares declares) {
    byte[] added = bytes(declares);
    int from = start + USUAL_HEADER + added.length;
    if (added.length > 0) {
      // The name goes to the front, and what is declared into the gap behind it.
      int p = from;
      for (byte c = target.getByte(p); c != ' ' && c != '>' && c != '/'; c = target.getByte(++p)) {
        target.setByte(p - added.length, c);
      }
      target.setBytes(p - added.length, added);
    }
    int payload = start + USUAL_HEADER;
    int length = target.writerIndex() - payload;
    if (length < 126) {
      move(target, payload, start + 2, length);
      target.setByte(start, TEXT_FRAME).setByte(start + 1, length);
    } else if (length <= 65_535) {
      target.setByte(start, TEXT_FRAME).setByte(start + 1, 126).setShort(start + 2, length);
    } else {
      target.writeZero(6);
      move(target, payload, start + 10, length);
      target.setByte(start, TEXT_FRAME).setByte(start + 1, 127).setLong(start + 2, length);
    }
  }

  private static void move(ByteBuf target, int from, int to, int length) {
    byte[] bytes = new byte[length];
    target.getBytes(from, bytes);
    target.setBytes(to, bytes);
    target.writerIndex(to + length);
  }

  /// A small frame.
  private static byte[] frame(int opcode, byte[] payload) {
    int header = payload.length < 126 ? 2 : 4;
    byte[] bytes = new byte[header + payload.length];
    bytes[0] = (byte) (0x80 | opcode);
    bytes[1] = (byte) (header == 2 ? payload.length : 126);
    if (header == 4) {
      bytes[2] = (byte) (payload.length >> 8);
      bytes[3] = (byte) payload.length;
    }
    System.arraycopy(payload, 0, bytes, header, payload.length);
    return bytes;
  }

  private static byte[] bytes(Declares declares) {
    return switch (declares) {
      case NOTHING -> NOTHING;
      case CONTENT -> CONTENT;
      case STREAM -> STREAM;
    };
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
