package im.zonda.app.finding;

/// Text of others for a terminal.
public final class TerminalText {
  private static final int MAX_CHARACTERS = 500;

  private TerminalText() {}

  /// The text in one line: it must not look like lines of ours, nor control the terminal.
  public static String oneLine(String text) {
    StringBuilder line = new StringBuilder(text.length());
    text.codePoints()
        .map(c -> Character.isISOControl(c) || Character.getType(c) == Character.FORMAT ? ' ' : c)
        .limit(MAX_CHARACTERS)
        .forEach(line::appendCodePoint);
    return line.toString();
  }
}
