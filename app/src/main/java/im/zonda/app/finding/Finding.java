package im.zonda.app.finding;

import java.util.List;

/// The result of one check.
///
/// @param subject what was checked, in a word or two
/// @param text a sentence for the administrator
/// @param advice what to do, such as lines to type or to write into a file; empty if there is
///   nothing to do
public record Finding(Level level, String subject, String text, List<String> advice) {
  /// How bad it is.
  public enum Level {
    /// All is well, or not known.
    OK("ok"),
    /// The server works in spite of it.
    WARNING("warning"),
    /// The server does not work as it should, or soon will not.
    PROBLEM("PROBLEM");

    private final String word;

    Level(String word) {
      this.word = word;
    }

    /// The word that is printed.
    public String word() {
      return word;
    }
  }

  /// Copies the list. Text of others becomes one line each.
  public Finding {
    subject = TerminalText.oneLine(subject);
    text = TerminalText.oneLine(text);
    advice = advice.stream().map(TerminalText::oneLine).toList();
  }

  /// All is well.
  public static Finding ok(String subject, String text) {
    return new Finding(Level.OK, subject, text, List.of());
  }

  /// Nothing is said about what cannot be known here.
  ///
  /// @param reason a clause
  public static Finding unknown(String subject, String reason) {
    return ok(subject, "not known: " + reason);
  }

  /// The server works in spite of it.
  public static Finding warning(String subject, String text, String... advice) {
    return new Finding(Level.WARNING, subject, text, List.of(advice));
  }

  /// The server does not work as it should.
  public static Finding problem(String subject, String text, String... advice) {
    return new Finding(Level.PROBLEM, subject, text, List.of(advice));
  }

  /// The same with another level.
  public Finding at(Level other) {
    return new Finding(other, subject, text, advice);
  }

  /// Whether it is a problem.
  public boolean isProblem() {
    return level == Level.PROBLEM;
  }
}
