package im.zonda.net.proxy;

import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/// Headers of the PROXY protocol, as a proxy writes them.
public final class ProxyBytes {
  private static final byte[] SIGNATURE = HexFormat.of().parseHex("0d0a0d0a000d0a515549540a");

  private ProxyBytes() {}

  /// Version 1.
  public static byte[] line(String text) {
    return (text + "\r\n").getBytes(StandardCharsets.ISO_8859_1);
  }

  /// Version 1, for a client at an IPv4 address.
  public static byte[] lineFor(String client) {
    return line("PROXY TCP4 " + client + " 192.0.2.1 40000 5222");
  }

  /// Version 2.
  ///
  /// @param versionAndCommand the 13th byte
  /// @param family the 14th byte
  /// @param length what is announced
  /// @param rest what follows
  public static byte[] binary(int versionAndCommand, int family, int length, byte... rest) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(SIGNATURE);
    out.write(versionAndCommand);
    out.write(family);
    out.write(length >> 8);
    out.write(length);
    out.writeBytes(rest);
    return out.toByteArray();
  }

  /// Version 2, for a client by TCP, with further fields.
  public static byte[] binaryFor(String client, byte... fields) {
    byte[] source = InetAddress.ofLiteral(client).getAddress();
    ByteArrayOutputStream rest = new ByteArrayOutputStream();
    rest.writeBytes(source);
    rest.writeBytes(new byte[source.length]);
    rest.writeBytes(new byte[] {1, 2, 3, 4});
    rest.writeBytes(fields);
    return binary(0x21, source.length == 4 ? 0x11 : 0x21, rest.size(), rest.toByteArray());
  }
}
