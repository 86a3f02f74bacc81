package im.zonda.net.http;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Headers;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/// A client by HTTP/2 that sends any frames, right or wrong.
final class RawHttp2 implements AutoCloseable {
  static final int DATA = 0;
  static final int HEADERS = 1;
  static final int RESET = 3;
  static final int SETTINGS = 4;
  static final int PING = 6;
  static final int GOAWAY = 7;
  static final int WINDOW_UPDATE = 8;
  static final int CONTINUATION = 9;
  static final int END_STREAM = 1;
  static final int END_HEADERS = 4;
  static final int ACK = 1;

  /// A frame that the server has sent.
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Frame(int type, int flags, int stream, byte[] payload) {
    /// The number at the start of the payload, such as the error of RESET.
    int number() {
      return ByteBuffer.wrap(payload).getInt();
    }

    /// The error of GOAWAY.
    int error() {
      return ByteBuffer.wrap(payload).getInt(4);
    }

    boolean endsStream() {
      return (type == DATA || type == HEADERS) && (flags & END_STREAM) != 0;
    }
  }

  final SSLSocket socket;
  private final OutputStream out;
  private final DataInputStream in;
  private final DefaultHttp2HeadersDecoder decoder = new DefaultHttp2HeadersDecoder(false);

  /// Connects and sends the preface.
  ///
  /// @param settings the payload of SETTINGS
  RawHttp2(InetSocketAddress address, byte... settings) throws Exception {
    socket = TrustAll.connect(address, "h2");
    if (!"h2".equals(socket.getApplicationProtocol())) {
      throw new IOException("no HTTP/2");
    }
    out = socket.getOutputStream();
    in = new DataInputStream(socket.getInputStream());
    out.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    send(SETTINGS, 0, 0, settings);
  }

  /// A setting for the constructor.
  static byte[] setting(int name, int value) {
    return ByteBuffer.allocate(6).putShort((short) name).putInt(value).array();
  }

  void send(int type, int flags, int stream, byte... payload) throws IOException {
    out.write(frame(type, flags, stream, payload));
  }

  static byte[] frame(int type, int flags, int stream, byte... payload) {
    return ByteBuffer.allocate(9 + payload.length)
        .putInt((payload.length << 8) | type)
        .put((byte) flags)
        .putInt(stream)
        .put(payload)
        .array();
  }

  static byte[] bytes(int... values) {
    byte[] all = new byte[values.length];
    for (int i = 0; i < all.length; i++) {
      all[i] = (byte) values[i];
    }
    return all;
  }

  /// Sends the same bytes many times; false if the server has closed the connection meanwhile.
  boolean sendOften(byte[] bytes, int times) {
    try {
      for (int i = 0; i < times; i++) {
        out.write(bytes);
      }
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /// Names and values as HPACK without a table (RFC 7541, section 6.2.2).
  static byte[] fields(String... namesAndValues) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int i = 0; i < namesAndValues.length; i++) {
      if (i % 2 == 0) {
        all.write(0);
      }
      byte[] text = namesAndValues[i].getBytes(StandardCharsets.ISO_8859_1);
      if (text.length < 127) {
        all.write(text.length);
      } else {
        all.write(127);
        int rest = text.length - 127;
        for (; rest >= 128; rest >>= 7) {
          all.write((rest & 127) | 128);
        }
        all.write(rest);
      }
      all.writeBytes(text);
    }
    return all.toByteArray();
  }

  /// The header of a request to the first host.
  static byte[] request(String method, String path, String... more) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(
        fields(":method", method, ":scheme", "https", ":authority", "example.org", ":path", path));
    all.writeBytes(fields(more));
    return all.toByteArray();
  }

  /// Sends a request without a body.
  void get(int stream, String path) throws IOException {
    send(HEADERS, END_HEADERS | END_STREAM, stream, request("GET", path));
  }

  /// The next frame; null if the server has closed the connection.
  @Nullable Frame next() throws IOException {
    try {
      int lengthAndType = in.readInt();
      int flags = in.readUnsignedByte();
      int stream = in.readInt();
      byte[] payload = new byte[lengthAndType >>> 8];
      in.readFully(payload);
      return new Frame(lengthAndType & 255, flags, stream, payload);
    } catch (EOFException | SocketException | SSLException e) {
      return null;
    }
  }

  /// The next frame of that type; null if the server closes the connection before.
  @Nullable Frame next(int type) throws IOException {
    Frame frame = next();
    while (frame != null && frame.type() != type) {
      frame = next();
    }
    return frame;
  }

  /// The next header or reset of that stream; null if the server closes the connection before.
  @Nullable Frame answer(int stream) throws IOException {
    Frame frame = next();
    while (frame != null
        && (frame.stream() != stream || (frame.type() != HEADERS && frame.type() != RESET))) {
      if (frame.type() == HEADERS) {
        decode(frame); // the table changes
      }
      frame = next();
    }
    return frame;
  }

  /// The status of a response, or `reset` with its error, or `closed`.
  String status(int stream) throws IOException {
    Frame frame = answer(stream);
    if (frame == null) {
      return "closed";
    }
    return frame.type() == RESET
        ? "reset " + frame.number()
        : String.valueOf(decode(frame).status());
  }

  Http2Headers decode(Frame frame) throws IOException {
    try {
      return decoder.decodeHeaders(frame.stream(), Unpooled.wrappedBuffer(frame.payload()));
    } catch (io.netty.handler.codec.http2.Http2Exception e) {
      throw new IOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
