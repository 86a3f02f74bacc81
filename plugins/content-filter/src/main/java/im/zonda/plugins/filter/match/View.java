package im.zonda.plugins.filter.match;

/// A text as the comparison of words sees it: letters in one case, each once where it is repeated,
/// and one space for everything between words.
final class View {
  /// What everything between two words becomes.
  static final int SPACE = ' ';

  // A word may begin here.
  private static final byte BOUNDARY = 1;
  // What was between this letter and the one before it was left out.
  private static final byte JOINED = 2;
  // It was a digit.
  private static final byte DIGIT = 4;

  private final NormalText text;
  private final boolean disguised;
  private final int[] symbols;
  private final int[] starts;
  private final int[] ends;
  private final int[] runs;
  private final byte[] flags;
  private int length;

  View(NormalText text, boolean disguised) {
    this.text = text;
    this.disguised = disguised;
    // Only the sharp s becomes two letters.
    int most = text.text().length() + 1;
    this.symbols = new int[most];
    this.starts = new int[most];
    this.ends = new int[most];
    this.runs = new int[most];
    this.flags = new byte[most];
  }

  /// The text as it is written.
  static View plain(NormalText text) {
    View view = new View(text, false);
    String all = text.text();
    int before = SPACE;
    for (int i = 0; i < all.length(); ) {
      int codePoint = all.charAt(i);
      if (codePoint >= 0xD800) {
        codePoint = all.codePointAt(i);
      }
      int next = i + Character.charCount(codePoint);
      if (Letters.isWord(codePoint) || Letters.isSymbol(codePoint)) {
        view.addPlain(Letters.fold(codePoint), before, i, next);
        before = codePoint;
      } else {
        view.addSpace();
        before = SPACE;
      }
      i = next;
    }
    return view;
  }

  private void addPlain(int symbol, int before, int from, int to) {
    boolean isBoundary =
        before == SPACE
            || isDigit(before) != isDigit(symbol)
            || Letters.isUnseparated(symbol)
            || Letters.isUnseparated(before);
    if (symbol == 0xDF) { // the sharp s
      add('s', isBoundary, from, to);
      add('s', false, from, to);
    } else {
      add(symbol, isBoundary, from, to);
    }
  }

  private static boolean isDigit(int codePoint) {
    return codePoint < 0x80 ? codePoint >= '0' && codePoint <= '9' : Character.isDigit(codePoint);
  }

  private void add(int symbol, boolean isBoundary, int from, int to) {
    add(symbol, isBoundary ? BOUNDARY : 0, from, to);
  }

  /// Adds a letter for which a digit or a sign may have stood.
  void addDisguised(int symbol, boolean isJoined, boolean wasDigit, int from, int to) {
    boolean isBoundary = isJoined || length == 0 || symbols[length - 1] == SPACE;
    int flag = (isBoundary ? BOUNDARY : 0) | (isJoined ? JOINED : 0) | (wasDigit ? DIGIT : 0);
    if (symbol == 0xDF) {
      add('s', flag, from, to);
      add('s', 0, from, to);
    } else {
      add(symbol, flag, from, to);
    }
  }

  private void add(int symbol, int flag, int from, int to) {
    int last = length - 1;
    if (length > 0 && symbols[last] == symbol) {
      runs[last]++;
      ends[last] = to;
      if ((flag & DIGIT) == 0) {
        flags[last] &= ~DIGIT;
      }
      return;
    }
    symbols[length] = symbol;
    starts[length] = from;
    ends[length] = to;
    runs[length] = 1;
    flags[length] = (byte) flag;
    length++;
  }

  /// Adds what is between words.
  void addSpace() {
    if (length > 0 && symbols[length - 1] != SPACE) {
      symbols[length] = SPACE;
      starts[length] = starts[length - 1];
      ends[length] = ends[length - 1];
      runs[length] = 1;
      flags[length] = BOUNDARY;
      length++;
    }
  }

  /// Takes a mark to the letter before it.
  void extend(int to) {
    if (length > 0) {
      ends[length - 1] = to;
    }
  }

  int length() {
    return length;
  }

  int symbol(int index) {
    return symbols[index];
  }

  /// How often the letter is repeated.
  int run(int index) {
    return runs[index];
  }

  /// Whether letters are guessed, and what stands between them may be left out.
  boolean isDisguised() {
    return disguised;
  }

  /// Whether a word may begin or end before `index`.
  boolean isBoundary(int index) {
    return index == 0
        || index >= length
        || symbols[index] == SPACE
        || (flags[index] & BOUNDARY) != 0;
  }

  /// Whether something between the letters of a part was left out.
  boolean isJoined(int from, int to) {
    for (int i = from + 1; i < to; i++) {
      if ((flags[i] & JOINED) != 0) {
        return true;
      }
    }
    return false;
  }

  /// Whether a part has a letter that was no digit.
  boolean hasLetter(int from, int to) {
    for (int i = from; i < to; i++) {
      if (symbols[i] != SPACE && (flags[i] & DIGIT) == 0) {
        return true;
      }
    }
    return false;
  }

  /// The place of a part in the original.
  Range range(int from, int to) {
    return text.range(starts[from], ends[to - 1]);
  }
}
