package im.zonda.plugins.filter.match;

/// A word or phrase of a list: its letters, each once where it is repeated, with one space between
/// words.
public final class Word {
  /// The most letters of a word or phrase.
  public static final int MOST_LETTERS = 100;

  private static final int MOST_CHARS = 400;

  // The letters in one case, and spaces.
  private final int[] symbols;
  // How often each is repeated.
  private final int[] runs;
  private final boolean startsAnywhere;
  private final boolean endsAnywhere;

  private Word(int[] symbols, int[] runs, boolean startsAnywhere, boolean endsAnywhere) {
    this.symbols = symbols;
    this.runs = runs;
    this.startsAnywhere = startsAnywhere;
    this.endsAnywhere = endsAnywhere;
  }

  /// Reads a word or phrase. An asterisk at its beginning or end stands for any letters.
  ///
  /// @throws IllegalArgumentException if it is none; the message is a sentence for people
  public static Word of(String text) {
    String inner = text.strip();
    boolean startsAnywhere = inner.startsWith("*");
    boolean endsAnywhere = inner.length() > 1 && inner.endsWith("*");
    inner = inner.substring(startsAnywhere ? 1 : 0, inner.length() - (endsAnywhere ? 1 : 0));
    if (inner.indexOf('*') >= 0) {
      throw new IllegalArgumentException(
          "an asterisk stands only at the beginning or end of a word; use a pattern instead");
    }
    if (inner.length() > MOST_CHARS) {
      throw new IllegalArgumentException("a word has more than " + MOST_LETTERS + " letters");
    }
    NormalText normal = NormalText.of(inner);
    View view = hasSigns(normal.text()) ? Disguise.only(normal) : View.plain(normal);
    int length = view.length();
    if (length > 0 && view.symbol(length - 1) == View.SPACE) {
      length--;
    }
    int[] symbols = new int[length];
    int[] runs = new int[length];
    int letters = 0;
    for (int i = 0; i < length; i++) {
      symbols[i] = view.symbol(i);
      runs[i] = view.run(i);
      letters += runs[i];
    }
    if (letters < 2 && (letters == 0 || !Letters.isUnseparated(symbols[0]))) {
      throw new IllegalArgumentException("a word needs at least two letters or digits");
    }
    if (letters > MOST_LETTERS) {
      throw new IllegalArgumentException("a word has more than " + MOST_LETTERS + " letters");
    }
    return new Word(symbols, runs, startsAnywhere, endsAnywhere);
  }

  /// The letters in one case, each once where it is repeated, and spaces. Not to be changed.
  int[] symbols() {
    return symbols;
  }

  // Such as the dollars in a word that a moderator has copied from a message.
  private static boolean hasSigns(String text) {
    boolean hasSign = false;
    boolean hasLetter = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      hasSign |= Letters.disguised(c) != 0 && !(c >= '0' && c <= '9');
      hasLetter |= Letters.isWord(c);
    }
    return hasSign && hasLetter;
  }

  /// Whether a part of a view that has these symbols is this word.
  ///
  /// @param isExact whether disguised spellings do not count
  boolean isAt(View view, int from, int to, boolean isExact) {
    if (isExact && view.isDisguised()) {
      return false;
    }
    if (view.isDisguised() && !view.hasLetter(from, to)) {
      return false;
    }
    boolean isJoined = view.isDisguised() && view.isJoined(from, to);
    boolean startsFreely = startsAnywhere && !isJoined;
    boolean endsFreely = endsAnywhere && !isJoined;
    return (startsFreely || view.isBoundary(from))
        && (endsFreely || view.isBoundary(to))
        && (!isJoined || to - from > 2)
        && hasRuns(view, from, isExact);
  }

  private boolean hasRuns(View view, int from, boolean isExact) {
    boolean isLong = !isExact && hasStrangeRun(view, from);
    for (int i = 0; i < runs.length; i++) {
      int run = view.run(from + i);
      boolean isFree = (i == 0 && startsAnywhere) || (i == runs.length - 1 && endsAnywhere);
      boolean isMore = run > runs[i] && (isFree || (isLong && !Character.isDigit(symbols[i])));
      if (run != runs[i] && !isMore) {
        return false;
      }
    }
    return true;
  }

  // Whether a letter is repeated as in no ordinary word: then others may be, too. "Good" is not
  // "god".
  private boolean hasStrangeRun(View view, int from) {
    for (int i = 0; i < runs.length; i++) {
      int run = view.run(from + i);
      if (run > runs[i]
          && !Character.isDigit(symbols[i])
          && (run > 2 || Letters.isRarelyDouble(symbols[i]))) {
        return true;
      }
    }
    return false;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(startsAnywhere ? "*" : "");
    for (int i = 0; i < symbols.length; i++) {
      text.repeat(symbols[i], runs[i]);
    }
    return text.append(endsAnywhere ? "*" : "").toString();
  }
}
