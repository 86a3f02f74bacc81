package im.zonda.app.transfer.prosody;

import im.zonda.app.transfer.BadRecordException;
import java.time.Instant;

/// Times as Prosody stores them: seconds since 1970, perhaps with a fraction.
final class StoredTime {
  private static final double LATEST = 253_402_300_799.0;

  private StoredTime() {}

  /// The time.
  ///
  /// @throws BadRecordException if it is not from 1970 to 9999
  static Instant of(double seconds) throws BadRecordException {
    if (!(seconds >= 0 && seconds <= LATEST)) {
      throw new BadRecordException("the time " + seconds + " is not from 1970 to 9999");
    }
    long micros = Math.round(seconds * 1_000_000);
    return Instant.ofEpochSecond(micros / 1_000_000, micros % 1_000_000 * 1_000);
  }
}
