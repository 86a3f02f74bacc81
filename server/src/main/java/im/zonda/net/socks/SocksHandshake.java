package im.zonda.net.socks;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The server's side of a SOCKS5 handshake (RFC 1928) as XEP-0065 uses it: without authentication,
/// CONNECT to a domain name that is a SHA-1 hash. Reads no byte more than the handshake has.
final class SocksHandshake {
  /// Succeeded (RFC 1928, section 6).
  static final int SUCCEEDED = 0;

  /// Connection not allowed by ruleset.
  static final int NOT_ALLOWED = 2;

  private static final int HOST_UNREACHABLE = 4;
  private static final int COMMAND_NOT_SUPPORTED = 7;
  private static final int ADDRESS_NOT_SUPPORTED = 8;

  private static final int VERSION = 5;
  private static final int WITHOUT_AUTHENTICATION = 0;
  private static final int NO_METHOD = 0xff;
  private static final int CONNECT = 1;
  private static final int DOMAIN_NAME = 3;
  private static final int PORT_BYTES = 2;
  private static final Pattern SHA_1 = Pattern.compile("[0-9a-f]{40}");

  private final DataInputStream in;
  private final OutputStream out;
  private byte[] destination = {0, 0, 0};

  /// @param in must not be buffered, since what follows belongs to the stream
  SocksHandshake(InputStream in, OutputStream out) {
    this.in = new DataInputStream(in);
    this.out = out;
  }

  /// Reads up to the request, and answers it if it cannot be granted.
  ///
  /// @return DST.ADDR in lower case; null if the connection is to be closed
  /// @throws IOException if the connection ends or fails
  @Nullable String read() throws IOException {
    if (in.readUnsignedByte() != VERSION) {
      return null;
    }
    boolean offered = false;
    for (byte method : in.readNBytes(in.readUnsignedByte())) {
      offered |= method == WITHOUT_AUTHENTICATION;
    }
    out.write(new byte[] {VERSION, (byte) (offered ? WITHOUT_AUTHENTICATION : NO_METHOD)});
    out.flush();
    if (!offered || in.readUnsignedByte() != VERSION) {
      return null;
    }
    int command = in.readUnsignedByte();
    in.readUnsignedByte(); // reserved
    if (in.readUnsignedByte() != DOMAIN_NAME) {
      answer(ADDRESS_NOT_SUPPORTED);
      return null;
    }
    int length = in.readUnsignedByte();
    destination = new byte[1 + length + PORT_BYTES];
    destination[0] = (byte) length;
    in.readFully(destination, 1, length + PORT_BYTES);
    if (command != CONNECT) {
      answer(COMMAND_NOT_SUPPORTED);
      return null;
    }
    String address =
        new String(destination, 1, length, StandardCharsets.ISO_8859_1).toLowerCase(Locale.ROOT);
    if (!SHA_1.matcher(address).matches()) {
      answer(HOST_UNREACHABLE);
      return null;
    }
    return address;
  }

  /// Answers the request. BND.ADDR and BND.PORT are DST.ADDR and DST.PORT (XEP-0065, section
  /// 5.3.2).
  void answer(int reply) throws IOException {
    byte[] answer = new byte[4 + destination.length];
    answer[0] = VERSION;
    answer[1] = (byte) reply;
    answer[3] = DOMAIN_NAME;
    System.arraycopy(destination, 0, answer, 4, destination.length);
    out.write(answer);
    out.flush();
  }
}
