package im.zonda.operation;

/// A text that is not printed, logged or kept, such as a password.
///
/// @param text the text
public record Secret(String text) {
  @Override
  public String toString() {
    return "(secret)";
  }
}
