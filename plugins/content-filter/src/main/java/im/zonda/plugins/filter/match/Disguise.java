package im.zonda.plugins.filter.match;

import java.util.function.Consumer;

/// Reads a text as one in which words are disguised: digits and signs stand for letters, letters
/// have marks or are of other alphabets, and signs or spaces are between the letters of a word.
final class Disguise {
  private static final int MOST_SIGNS = 4;

  private final String text;
  private final View view;
  private final boolean asL;
  private boolean isAmbiguous;
  private boolean isLastSingle;

  private Disguise(NormalText normal, boolean asL) {
    this.text = normal.text();
    this.view = new View(normal, true);
    this.asL = asL;
  }

  /// Gives each reading of the text to `reader`: none if nothing is disguised, two if it has signs
  /// that may stand for `i` and for `l`.
  static void read(NormalText normal, Consumer<View> reader) {
    if (DisguiseSigns.areIn(normal.text())) {
      Disguise first = new Disguise(normal, false);
      first.readChunks();
      reader.accept(first.view);
      if (first.isAmbiguous) {
        Disguise second = new Disguise(normal, true);
        second.readChunks();
        reader.accept(second.view);
      }
    }
  }

  /// The first reading, for a word that is itself written with signs.
  static View only(NormalText normal) {
    Disguise disguise = new Disguise(normal, false);
    disguise.readChunks();
    return disguise.view;
  }

  /// A chunk is what is between white space.
  private void readChunks() {
    int at = 0;
    while (at < text.length()) {
      if (Character.isWhitespace(text.charAt(at))) {
        at++;
        continue;
      }
      int end = at;
      while (end < text.length() && !Character.isWhitespace(text.charAt(end))) {
        end++;
      }
      readChunk(at, end);
      at = end;
    }
  }

  private void readChunk(int from, int to) {
    boolean hasLatin = false;
    int letters = 0;
    int firstLetter = 0;
    for (int i = from; i < to; ) {
      int codePoint = text.codePointAt(i);
      i += Character.charCount(codePoint);
      hasLatin |= isLatin(codePoint) || Letters.plain(codePoint) != 0;
      if (Letters.isWord(codePoint) && !NormalText.isMark(codePoint)) {
        int letter = Letters.fold(codePoint);
        letters += letter == firstLetter ? 0 : 1;
        firstLetter = letters == 1 ? letter : firstLetter;
      }
    }
    boolean isSingle = letters <= 1;
    boolean isJoined = isSingle && isLastSingle;
    if (!isJoined) {
      view.addSpace();
    }
    isLastSingle = isSingle;
    readLetters(from, to, hasLatin, isSingle, isJoined);
  }

  private void readLetters(
      int from, int to, boolean hasLatin, boolean isSingle, boolean isChunkJoined) {
    boolean isJoined = isChunkJoined;
    boolean isFirst = true;
    for (int i = from; i < to; ) {
      int codePoint = text.codePointAt(i);
      int next = i + Character.charCount(codePoint);
      if (NormalText.isMark(codePoint)) {
        view.extend(next);
      } else {
        int letter = letter(codePoint, i, from, to, hasLatin, isSingle);
        if (letter == 0) {
          isJoined |= !isFirst;
        } else {
          view.addDisguised(letter, isJoined, isDigit(codePoint), i, next);
          isJoined = false;
          isFirst = false;
        }
      }
      i = next;
    }
  }

  /// The letter for which a character stands, or 0.
  private int letter(int codePoint, int at, int from, int to, boolean hasLatin, boolean isSingle) {
    int plain = Letters.plain(codePoint);
    if (plain != 0) {
      return plain;
    }
    if (hasLatin && Letters.lookalike(codePoint) != 0) {
      return Letters.lookalike(codePoint);
    }
    int disguised = Letters.disguised(codePoint);
    if (isDigit(codePoint)) {
      return hasLatin || isSingle ? ambiguous(codePoint, disguised) : codePoint;
    }
    if (disguised != 0) {
      boolean before = at > from && isWordOrSign(text.charAt(at - 1));
      boolean after = at + 1 < to && isWordOrSign(text.charAt(at + 1));
      boolean isLetter =
          Letters.isOrdinaryAtEnd(codePoint)
              ? isBeforeLetter(at, to) && (before || codePoint == '!' || codePoint == '|')
              : before || after;
      return isLetter ? ambiguous(codePoint, disguised) : 0;
    }
    return Letters.isWord(codePoint) || Letters.isSymbol(codePoint) ? Letters.fold(codePoint) : 0;
  }

  // Whether a letter follows some signs that are ordinary at the end of a word.
  private boolean isBeforeLetter(int at, int to) {
    int next = at + 1;
    while (next < to && next < at + MOST_SIGNS && Letters.isOrdinaryAtEnd(text.charAt(next))) {
      next++;
    }
    return next < to
        && isWordOrSign(text.charAt(next))
        && !Letters.isOrdinaryAtEnd(text.charAt(next));
  }

  private int ambiguous(int codePoint, int letter) {
    if (Letters.isAmbiguous(codePoint)) {
      isAmbiguous = true;
      return asL ? 'l' : letter;
    }
    return letter;
  }

  private static boolean isWordOrSign(char c) {
    return Letters.isWord(c) || Letters.disguised(c) != 0;
  }

  private static boolean isLatin(int codePoint) {
    return (codePoint >= 'a' && codePoint <= 'z') || (codePoint >= 'A' && codePoint <= 'Z');
  }

  private static boolean isDigit(int codePoint) {
    return codePoint >= '0' && codePoint <= '9';
  }
}
