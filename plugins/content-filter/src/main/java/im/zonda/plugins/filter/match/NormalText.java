package im.zonda.plugins.filter.match;

import java.text.Normalizer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A text in the normalisation form NFKC without characters that are not seen (zero-width spaces,
/// joiners, soft hyphens, directions), with the place of each character in the original.
public final class NormalText {
  /// The marks of one letter that count; more would cost much to sort.
  private static final int MOST_MARKS = 16;

  private final String original;
  private final String text;

  // The place of each char of the text in the original; null if both are the same.
  private final int @Nullable [] starts;
  private final int @Nullable [] ends;

  private NormalText(String original, String text, int @Nullable [] starts, int @Nullable [] ends) {
    this.original = original;
    this.text = text;
    this.starts = starts;
    this.ends = ends;
  }

  /// Normalises a text. Halves of surrogate pairs are kept.
  public static NormalText of(String original) {
    for (int i = 0; i < original.length(); i++) {
      if (original.charAt(i) >= 0x80) {
        return new Normalisation(original, i).run();
      }
    }
    return new NormalText(original, original, null, null);
  }

  /// The text before it was normalised.
  public String original() {
    return original;
  }

  /// The normalised text.
  public String text() {
    return text;
  }

  /// The place in the original where the char at `index` begins.
  int start(int index) {
    return starts == null ? index : starts[index];
  }

  /// The place in the original where the char at `index` ends.
  int end(int index) {
    return ends == null ? index + 1 : ends[index];
  }

  /// The part of the original from which the chars from `from` to `to` come, which are not empty.
  Range range(int from, int to) {
    return new Range(start(from), end(to - 1));
  }

  /// Whether it changes a letter before it.
  static boolean isMark(int codePoint) {
    if (codePoint < 0x300) {
      return false;
    }
    int type = Character.getType(codePoint);
    return type == Character.NON_SPACING_MARK
        || type == Character.ENCLOSING_MARK
        || type == Character.COMBINING_SPACING_MARK
        || (codePoint >= 0x1160 && codePoint <= 0x11FF); // vowels and finals of Hangul
  }

  /// Whether nothing is seen of it.
  static boolean isInvisible(int codePoint) {
    if (codePoint < 0x80) {
      return false;
    }
    return switch (codePoint) {
      case 0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFEFF, 0xFFA0 -> true;
      default ->
          (codePoint >= 0x180B && codePoint <= 0x180F)
              || (codePoint >= 0x200B && codePoint <= 0x200F)
              || (codePoint >= 0x202A && codePoint <= 0x202E)
              || (codePoint >= 0x2060 && codePoint <= 0x206F)
              || (codePoint >= 0xFE00 && codePoint <= 0xFE0F)
              || (codePoint >= 0xFFF0 && codePoint <= 0xFFFB)
              || (codePoint >= 0x1D173 && codePoint <= 0x1D17A)
              || (codePoint >= 0xE0000 && codePoint <= 0xE0FFF);
    };
  }

  /// Whether a character without marks is its own normal form, for the letters of most texts.
  private static boolean isNormal(int c) {
    return c < 0xA0
        || (c >= 0xC0 && c <= 0x131)
        || (c >= 0x391 && c <= 0x3CE)
        || (c >= 0x400 && c <= 0x481)
        || (c >= 0x5D0 && c <= 0x5EA)
        || (c >= 0x621 && c <= 0x64A)
        || (c >= 0x2018 && c <= 0x201E)
        || (c >= 0x3041 && c <= 0x3096)
        || (c >= 0x30A1 && c <= 0x30FA)
        || (c >= 0x4E00 && c <= 0x9FFF)
        || (c >= 0xAC00 && c <= 0xD7A3)
        || c == 0xFDFA // whole sentences, which would become 18 and 8 characters
        || c == 0xFDFB
        || (c >= 0x1F300 && c <= 0x1FAFF);
  }

  /// The work for one text.
  private static final class Normalisation {
    private final String original;
    private final StringBuilder text;
    private int[] starts;
    private int[] ends;

    Normalisation(String original, int plain) {
      this.original = original;
      this.text = new StringBuilder(original.length());
      this.starts = new int[original.length() + 16];
      this.ends = new int[original.length() + 16];
      // The last plain char may have a mark after it.
      for (int i = 0; i < plain - 1; i++) {
        add(original.charAt(i), i, i + 1);
      }
    }

    NormalText run() {
      int at = text.length();
      while (at < original.length()) {
        int codePoint = original.codePointAt(at);
        int next = at + Character.charCount(codePoint);
        if (isInvisible(codePoint)) {
          at = next;
        } else if (isNormal(codePoint) && !hasMark(next)) {
          addCodePoint(codePoint, at, next);
          at = next;
        } else {
          at = addLetterWithMarks(at, next);
        }
      }
      return new NormalText(original, text.toString(), starts, ends);
    }

    // Invisible characters before a mark do not keep it from the letter.
    private boolean hasMark(int at) {
      return at < original.length()
          && original.charAt(at) >= 0xAD
          && (isMark(original.codePointAt(at)) || isInvisible(original.codePointAt(at)));
    }

    private int addLetterWithMarks(int from, int afterLetter) {
      StringBuilder letter = new StringBuilder().append(original, from, afterLetter);
      int at = afterLetter;
      int end = afterLetter;
      int marks = 0;
      while (at < original.length()) {
        int codePoint = original.codePointAt(at);
        boolean invisible = isInvisible(codePoint);
        if (!invisible && !isMark(codePoint)) {
          break;
        }
        at += Character.charCount(codePoint);
        if (!invisible) {
          end = at;
          if (marks++ < MOST_MARKS) {
            letter.appendCodePoint(codePoint);
          }
        }
      }
      String normal = Normalizer.normalize(letter, Normalizer.Form.NFKC);
      for (int i = 0; i < normal.length(); i++) {
        if (!isInvisible(normal.codePointAt(i))) {
          add(normal.charAt(i), from, end);
        }
      }
      return at;
    }

    private void addCodePoint(int codePoint, int from, int to) {
      if (Character.isBmpCodePoint(codePoint)) {
        add((char) codePoint, from, to);
      } else {
        add(Character.highSurrogate(codePoint), from, to);
        add(Character.lowSurrogate(codePoint), from, to);
      }
    }

    private void add(char c, int from, int to) {
      int at = text.length();
      if (at == starts.length) {
        starts = Arrays.copyOf(starts, at * 2);
        ends = Arrays.copyOf(ends, at * 2);
      }
      text.append(c);
      starts[at] = from;
      ends[at] = to;
    }
  }
}
