package im.zonda.app.load.client;

import java.util.function.LongConsumer;

/// Finds stamps in a stream of bytes: `~` and 19 digits, however the bytes are split into reads.
public final class StampScanner implements LoadClient.Tap {
  public static final int DIGITS = 19;

  private final LongConsumer found;
  private long value;
  private int digits = -1;

  public StampScanner(LongConsumer found) {
    this.found = found;
  }

  @Override
  public void take(byte[] bytes, int length) {
    for (int i = 0; i < length; i++) {
      byte b = bytes[i];
      if (b == '~') {
        digits = 0;
        value = 0;
      } else if (digits >= 0) {
        if (b < '0' || b > '9') {
          digits = -1;
        } else {
          value = value * 10 + (b - '0');
          if (++digits == DIGITS) {
            digits = -1;
            found.accept(value);
          }
        }
      }
    }
  }
}
