package im.zonda.operation;

/// No input, or no result.
public record Nothing() {
  /// The only value.
  public static final Nothing NOTHING = new Nothing();

  /// The outcome of an operation that has nothing to say.
  public static Outcome<Nothing> done() {
    return Outcome.done(NOTHING);
  }
}
