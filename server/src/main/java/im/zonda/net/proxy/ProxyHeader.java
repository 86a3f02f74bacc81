package im.zonda.net.proxy;

import io.netty.buffer.ByteBuf;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The header of the PROXY protocol, version 1 (a line of text) or 2 (binary), as the document
/// `proxy-protocol.txt` of HAProxy defines it. Only the source address is used: the destination and
/// the ports are checked, and additional fields (TLV) are skipped.
///
/// @param source the client's address; null if the proxy speaks for itself (`LOCAL`), does not say
///   for whom (`UNKNOWN`), or names a client without an IP address (UNIX, datagrams)
record ProxyHeader(@Nullable InetAddress source) {
  /// The longest header that is accepted, in bytes. Addresses take at most 216; what proxies add,
  /// such as the names of TLS, takes some hundred.
  static final int MAX_BYTES = 2_048;

  /// The longest line of version 1 with its end, in bytes.
  static final int MAX_LINE = 107;

  private static final ProxyHeader NO_SOURCE = new ProxyHeader(null);

  // ---- version 1

  private static final byte[] WORD = "PROXY ".getBytes(StandardCharsets.US_ASCII);
  private static final int FIELDS = 6;
  private static final Pattern VERSION_4 =
      Pattern.compile("(?:0|[1-9][0-9]{0,2})(?:\\.(?:0|[1-9][0-9]{0,2})){3}");

  /// With dots, because proxies that listen for IPv4 and IPv6 at once write mapped addresses so.
  private static final Pattern VERSION_6 = Pattern.compile("[0-9a-fA-F.]*:[0-9a-fA-F:.]*");

  private static final Pattern PORT = Pattern.compile("0|[1-9][0-9]{0,4}");
  private static final int MAX_PORT = 65_535;

  // ---- version 2

  private static final byte[] SIGNATURE = {
    0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A
  };
  private static final int FIXED_BYTES = 16;
  private static final int VERSION = 2;
  private static final int LOCAL = 0;
  private static final int PROXY = 1;
  private static final int UNSPECIFIED = 0;
  private static final int INET = 1;
  private static final int INET6 = 2;
  private static final int UNIX = 3;
  private static final int STREAM = 1;
  private static final int DATAGRAM = 2;

  /// Reads the header at the beginning of a connection, and nothing behind it. Any byte that cannot
  /// belong to a header is rejected when it comes.
  ///
  /// @return null if it is not complete; nothing has been read then
  static @Nullable ProxyHeader read(ByteBuf in) throws MalformedHeaderException {
    if (!in.isReadable()) {
      return null;
    }
    boolean text = in.getByte(in.readerIndex()) == WORD[0];
    byte[] first = text ? WORD : SIGNATURE;
    for (int i = 0; i < Math.min(first.length, in.readableBytes()); i++) {
      if (in.getByte(in.readerIndex() + i) != first[i]) {
        throw new MalformedHeaderException("the connection does not begin with a PROXY header");
      }
    }
    return text ? readLine(in) : readBinary(in);
  }

  // ---- version 1

  private static @Nullable ProxyHeader readLine(ByteBuf in) throws MalformedHeaderException {
    int start = in.readerIndex();
    int end = Math.min(in.writerIndex(), start + MAX_LINE);
    for (int i = start; i < end; i++) {
      byte c = in.getByte(i);
      if (c == '\n') {
        throw new MalformedHeaderException("a line feed without a carriage return");
      }
      if (c == '\r' && i + 1 < end) {
        if (in.getByte(i + 1) != '\n') {
          throw new MalformedHeaderException("a carriage return without a line feed");
        }
        String line = in.toString(start, i - start, StandardCharsets.ISO_8859_1);
        ProxyHeader header = parse(line);
        in.readerIndex(i + 2);
        return header;
      }
    }
    if (end - start >= MAX_LINE) {
      throw new MalformedHeaderException("the line is too long");
    }
    return null;
  }

  private static ProxyHeader parse(String line) throws MalformedHeaderException {
    String[] fields = line.split(" ", -1);
    String family = fields[1];
    if (family.equals("UNKNOWN")) {
      return NO_SOURCE; // whatever follows is ignored
    }
    boolean version6 = family.equals("TCP6");
    if ((!version6 && !family.equals("TCP4")) || fields.length != FIELDS) {
      throw new MalformedHeaderException("the line is not that of TCP over IPv4 or IPv6");
    }
    InetAddress source = address(fields[2], version6);
    address(fields[3], version6);
    checkPort(fields[4]);
    checkPort(fields[5]);
    return new ProxyHeader(source);
  }

  private static InetAddress address(String text, boolean version6)
      throws MalformedHeaderException {
    if ((version6 ? VERSION_6 : VERSION_4).matcher(text).matches()) {
      try {
        return InetAddress.ofLiteral(text);
      } catch (IllegalArgumentException e) {
        throw malformedAddress(e);
      }
    }
    throw malformedAddress(null);
  }

  private static MalformedHeaderException malformedAddress(@Nullable Exception cause) {
    MalformedHeaderException failure =
        new MalformedHeaderException("an address is none of the family that is named");
    failure.initCause(cause);
    return failure;
  }

  private static void checkPort(String text) throws MalformedHeaderException {
    if (!PORT.matcher(text).matches() || Integer.parseInt(text) > MAX_PORT) {
      throw new MalformedHeaderException("a port is none");
    }
  }

  // ---- version 2

  private static @Nullable ProxyHeader readBinary(ByteBuf in) throws MalformedHeaderException {
    if (in.readableBytes() <= SIGNATURE.length) {
      return null;
    }
    int start = in.readerIndex();
    int versionAndCommand = in.getUnsignedByte(start + SIGNATURE.length);
    int command = versionAndCommand & 0x0f;
    if (versionAndCommand >> 4 != VERSION || command > PROXY) {
      throw new MalformedHeaderException("the version or the command is not known");
    }
    if (in.readableBytes() < FIXED_BYTES) {
      return null;
    }
    int family = in.getUnsignedByte(start + 13);
    int length = in.getUnsignedShort(start + 14);
    if (FIXED_BYTES + length > MAX_BYTES) {
      throw new MalformedHeaderException("the header announces too many bytes");
    }
    // Before the rest has come: a proxy that says nonsense need not be waited for.
    int addressBytes = command == LOCAL ? 0 : addressBytes(family >> 4, family & 0x0f, length);
    if (in.readableBytes() < FIXED_BYTES + length) {
      return null;
    }
    InetAddress source = source(in, start + FIXED_BYTES, addressBytes);
    in.skipBytes(FIXED_BYTES + length);
    return source == null ? NO_SOURCE : new ProxyHeader(source);
  }

  /// How long the source address is; 0 if there is none that counts.
  private static int addressBytes(int family, int transport, int length)
      throws MalformedHeaderException {
    if (family > UNIX || transport > DATAGRAM) {
      throw new MalformedHeaderException("the family or the transport is not known");
    }
    int needed =
        switch (family) {
          case INET -> 2 * 4 + 4;
          case INET6 -> 2 * 16 + 4;
          case UNIX -> 2 * 108;
          default -> 0;
        };
    if (transport != UNSPECIFIED && length < needed) {
      throw new MalformedHeaderException("the header is too short for its addresses");
    }
    if (transport != STREAM) {
      return 0;
    }
    return switch (family) {
      case INET -> 4;
      case INET6 -> 16;
      default -> 0;
    };
  }

  private static @Nullable InetAddress source(ByteBuf in, int from, int length) {
    if (length == 0) {
      return null;
    }
    byte[] bytes = new byte[length];
    in.getBytes(from, bytes);
    try {
      return InetAddress.getByAddress(bytes);
    } catch (UnknownHostException e) {
      throw new IllegalStateException("4 or 16 bytes are an address", e);
    }
  }
}
