package im.zonda.app.federation;

/// The result of one step of a check.
///
/// @param text a sentence for the administrator
/// @param repair who must repair it; for a problem only
record Finding(Level level, String step, String text, Repair repair) {
  /// How bad it is.
  enum Level {
    OK("ok"),
    /// Federation works in spite of it.
    NOTE("note"),
    PROBLEM("PROBLEM");

    private final String word;

    Level(String word) {
      this.word = word;
    }
  }

  /// Who must repair a problem.
  enum Repair {
    NOBODY(""),
    US("to be repaired here"),
    THEM("to be repaired at the other server"),
    NETWORK("to be repaired at the other server, or in the network between"),
    DNS("to be repaired in the DNS of the remote domain");

    private final String sentence;

    Repair(String sentence) {
      this.sentence = sentence;
    }
  }

  static Finding ok(String step, String text) {
    return new Finding(Level.OK, step, text, Repair.NOBODY);
  }

  static Finding note(String step, String text) {
    return new Finding(Level.NOTE, step, text, Repair.NOBODY);
  }

  static Finding problem(String step, String text, Repair repair) {
    return new Finding(Level.PROBLEM, step, text, repair);
  }

  /// One line for a terminal. Text of the other server cannot look like lines of ours.
  String line() {
    String end = repair == Repair.NOBODY ? "" : " (" + repair.sentence + ")";
    return String.format("%-8s %-12s %s%s%n", level.word, step, LinksText.oneLine(text), end);
  }
}
