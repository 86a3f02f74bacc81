package im.zonda.net.tls;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;

/// Writes the few kinds of ASN.1 values in DER that certificates and keys are made of.
final class Der {
  private static final int INTEGER = 0x02;
  private static final int BIT_STRING = 0x03;
  private static final int OCTET_STRING = 0x04;
  private static final int OBJECT_ID = 0x06;
  private static final int UTF8_STRING = 0x0c;
  private static final int GENERALIZED_TIME = 0x18;
  private static final int SEQUENCE = 0x30;
  private static final int SET = 0x31;

  private Der() {}

  /// A value with that tag and content.
  static byte[] tagged(int tag, byte[]... contents) {
    int length = 0;
    for (byte[] content : contents) {
      length += content.length;
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream(length + 5);
    out.write(tag);
    if (length < 0x80) {
      out.write(length);
    } else {
      byte[] digits = BigInteger.valueOf(length).toByteArray();
      int leading = digits[0] == 0 ? 1 : 0;
      out.write(0x80 | (digits.length - leading));
      out.write(digits, leading, digits.length - leading);
    }
    for (byte[] content : contents) {
      out.writeBytes(content);
    }
    return out.toByteArray();
  }

  static byte[] sequence(byte[]... values) {
    return tagged(SEQUENCE, values);
  }

  static byte[] set(byte[]... values) {
    return tagged(SET, values);
  }

  static byte[] integer(BigInteger value) {
    return tagged(INTEGER, value.toByteArray());
  }

  static byte[] octets(byte[] bytes) {
    return tagged(OCTET_STRING, bytes);
  }

  static byte[] bits(byte[] bytes) {
    return tagged(BIT_STRING, new byte[] {0}, bytes);
  }

  static byte[] utf8(String text) {
    return tagged(UTF8_STRING, text.getBytes(StandardCharsets.UTF_8));
  }

  /// A time as `yyyyMMddHHmmssZ`.
  static byte[] time(String text) {
    return tagged(GENERALIZED_TIME, text.getBytes(StandardCharsets.US_ASCII));
  }

  /// An object identifier in dotted form.
  static byte[] objectId(String dotted) {
    String[] parts = dotted.split("\\.", -1);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(Integer.parseInt(parts[0]) * 40 + Integer.parseInt(parts[1]));
    for (int i = 2; i < parts.length; i++) {
      int value = Integer.parseInt(parts[i]);
      for (int shift = 28; shift > 0; shift -= 7) {
        if (value >>> shift != 0) {
          out.write(0x80 | ((value >>> shift) & 0x7f));
        }
      }
      out.write(value & 0x7f);
    }
    return tagged(OBJECT_ID, out.toByteArray());
  }
}
