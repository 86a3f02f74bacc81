package im.zonda.app.transfer;

/// Something that cannot be taken.
///
/// @param where the file with its line, the row or the address
/// @param what the thing
/// @param why the reason, and what to do about it
public record Omission(String where, String what, String why) {
  /// In one line.
  @Override
  public String toString() {
    return where + ": " + what + ": " + why;
  }
}
