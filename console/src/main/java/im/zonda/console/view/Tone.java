package im.zonda.console.view;

/// Meaning of a state. A page shows it as a dot beside the word, never by colour alone.
public enum Tone {
  /// It has none.
  PLAIN,
  /// As it should be.
  GOOD,
  /// Worth a look.
  WARNING,
  /// Something does not work.
  BAD;

  /// The class of the style sheet.
  public String style() {
    return switch (this) {
      case PLAIN -> "plain";
      case GOOD -> "good";
      case WARNING -> "warning";
      case BAD -> "bad";
    };
  }
}
