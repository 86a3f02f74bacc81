package im.zonda.plugins.filter.match;

/// Looks for signs that words of a text may be disguised, so that most texts are read once. Some
/// texts have such signs and no disguised words; none has disguised words without them.
final class DisguiseSigns {
  /// As many single letters with spaces between them may be a word.
  private static final int SINGLES = 3;

  private enum Kind {
    SPACE,
    LETTER,
    SIGN,
    APOSTROPHE,
    OTHER
  }

  private static final Kind[] KINDS = kinds();

  private DisguiseSigns() {}

  private static Kind[] kinds() {
    Kind[] kinds = new Kind[0x80];
    for (int c = 0; c < kinds.length; c++) {
      boolean isLetter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      kinds[c] =
          Character.isWhitespace(c)
              ? Kind.SPACE
              : isLetter
                  ? Kind.LETTER
                  : Letters.disguised(c) != 0
                      ? Kind.SIGN
                      : c == '\'' ? Kind.APOSTROPHE : Kind.OTHER;
    }
    return kinds;
  }

  /// Whether a normalised text has such signs.
  static boolean areIn(String text) {
    Kind before = Kind.SPACE;
    boolean isAfterLetter = false; // with something between
    boolean wasLatin = false;
    int apostrophes = 0;
    int letters = 0; // of this chunk
    int singles = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= 0x80 && isSign(text.codePointAt(i))) {
        return true;
      }
      Kind kind = c < 0x80 ? KINDS[c] : kind(c);
      switch (kind) {
        case LETTER -> {
          boolean isOtherScript = before == Kind.LETTER && wasLatin != c < 0x80;
          if (before == Kind.SIGN || (before == Kind.OTHER && isAfterLetter) || isOtherScript) {
            return true;
          }
          wasLatin = c < 0x80;
          letters++;
          isAfterLetter = true;
        }
        case SIGN -> {
          boolean isSign = !Letters.isOrdinaryAtEnd(c);
          if (isSign && (before == Kind.LETTER || (before == Kind.SIGN && !isDigit(c)))) {
            return true;
          }
          letters++;
        }
        case APOSTROPHE -> {
          if (++apostrophes > 1) {
            return true;
          }
        }
        case OTHER -> {}
        case SPACE -> {
          singles = letters > 1 ? 0 : singles + (before == Kind.SPACE ? 0 : 1);
          isAfterLetter = false;
          letters = 0;
          apostrophes = 0;
          if (singles >= SINGLES) {
            return true;
          }
        }
      }
      before = kind;
    }
    return letters <= 1 && singles >= SINGLES - 1;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static Kind kind(char c) {
    return Character.isWhitespace(c)
        ? Kind.SPACE
        : Letters.isWord(c) || Character.isSurrogate(c)
            ? Kind.LETTER
            : c == '\u2019' ? Kind.APOSTROPHE : Letters.disguised(c) != 0 ? Kind.SIGN : Kind.OTHER;
  }

  private static boolean isSign(int codePoint) {
    return NormalText.isMark(codePoint) || Letters.plain(codePoint) != 0;
  }
}
