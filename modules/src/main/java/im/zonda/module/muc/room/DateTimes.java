package im.zonda.module.muc.room;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/// Formats times (XEP-0082), in UTC with milliseconds.
public final class DateTimes {
  private static final DateTimeFormatter FORMAT =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

  private DateTimes() {}

  public static String of(Instant time) {
    return FORMAT.format(time);
  }
}
