package im.zonda.app.status;

/// A number of bytes for people.
public final class ByteCount {
  private ByteCount() {}

  /// The number in the largest unit of which there are ten.
  public static String text(long bytes) {
    if (bytes < 10_240) {
      return bytes + " B";
    }
    return bytes < 10_485_760 ? bytes / 1_024 + " KiB" : bytes / 1_048_576 + " MiB";
  }
}
