package im.zonda.bench.xmpp;

import java.nio.charset.StandardCharsets;

/// The mark in the body of a message by which its receiver knows when it was due, when it was given
/// to the socket, who sent it and as which: `~` and 48 hexadecimal digits.
///
/// @param due by [System#nanoTime], which processes of one machine share
/// @param sent by [System#nanoTime]
/// @param sender the number of the client
/// @param sequence the number of the message among the sender's
public record Stamp(long due, long sent, int sender, int sequence) {
  /// The length of a stamp in bytes.
  public static final int LENGTH = 49;

  private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

  /// Where the stamp of an element begins, without its `~`; -1 if it has none.
  public static int find(byte[] bytes, int from, int to) {
    for (int i = from; i <= to - LENGTH; i++) {
      if (bytes[i] == '~' && isStamp(bytes, i + 1)) {
        return i + 1;
      }
    }
    return -1;
  }

  private static boolean isStamp(byte[] bytes, int at) {
    for (int i = at; i < at + LENGTH - 1; i++) {
      if (Character.digit(bytes[i], 16) < 0) {
        return false;
      }
    }
    return true;
  }

  /// Reads the stamp that [#find] has found.
  public static Stamp read(byte[] bytes, int at) {
    return new Stamp(due(bytes, at), sent(bytes, at), sender(bytes, at), sequence(bytes, at));
  }

  /// When the message was due.
  public static long due(byte[] bytes, int at) {
    return number(bytes, at, 16);
  }

  /// When the message was given to the socket.
  public static long sent(byte[] bytes, int at) {
    return number(bytes, at + 16, 16);
  }

  /// The number of the sender.
  public static int sender(byte[] bytes, int at) {
    return (int) number(bytes, at + 32, 8);
  }

  /// The number of the message among the sender's.
  public static int sequence(byte[] bytes, int at) {
    return (int) number(bytes, at + 40, 8);
  }

  private static long number(byte[] bytes, int at, int digits) {
    long value = 0;
    for (int i = at; i < at + digits; i++) {
      int b = bytes[i];
      value = (value << 4) | (b <= '9' ? b - '0' : b - 'a' + 10);
    }
    return value;
  }

  /// Writes the stamp.
  ///
  /// @param at where its `~` goes
  public void write(byte[] bytes, int at) {
    bytes[at] = '~';
    digits(bytes, at + 1, due, 16);
    digits(bytes, at + 17, sent, 16);
    digits(bytes, at + 33, sender, 8);
    digits(bytes, at + 41, sequence, 8);
  }

  private static void digits(byte[] bytes, int at, long value, int count) {
    for (int i = 0; i < count; i++) {
      bytes[at + i] = HEX[(int) (value >>> (4 * (count - 1 - i))) & 15];
    }
  }

  @Override
  public String toString() {
    byte[] text = new byte[LENGTH];
    write(text, 0);
    return new String(text, StandardCharsets.US_ASCII);
  }
}
