package im.zonda.bench.trace;

import java.nio.charset.StandardCharsets;

/// Makes texts of a length. Most are ASCII, some have letters of two bytes, a few have emoji:
/// servers read and write each of these differently.
public final class MessageBodies {
  private static final String ASCII = "the round is on, who comes to the gate with me? ";
  private static final String TWO_BYTES = "жду у ворот, раунд начался ";
  private static final String EMOJI = "gg 😀 well played 🎮 ";

  private MessageBodies() {}

  /// A text, which has none of the characters that XML escapes.
  ///
  /// @param number of the message: 70 % of the numbers give ASCII, 20 % letters of two bytes, 10 %
  ///   emoji
  /// @param start the beginning of the text, in ASCII
  /// @param bytes the length in UTF-8; more if the start is longer
  public static String text(long number, String start, int bytes) {
    StringBuilder text = new StringBuilder(start);
    int rest = bytes - start.length();
    int kind = (int) Math.floorMod(number, 10L);
    String words = kind < 7 ? ASCII : kind < 9 ? TWO_BYTES : EMOJI;
    for (int i = 0; rest > 0; ) {
      int c = words.codePointAt(i);
      String one = Character.toString(c);
      int size = one.getBytes(StandardCharsets.UTF_8).length;
      if (size > rest) {
        text.append(".".repeat(rest));
        return text.toString();
      }
      text.append(one);
      rest -= size;
      i += Character.charCount(c);
      i = i == words.length() ? 0 : i;
    }
    return text.toString();
  }
}
