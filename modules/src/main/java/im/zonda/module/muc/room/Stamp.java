package im.zonda.module.muc.room;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/// Times as they are written (XEP-0082), in UTC with milliseconds.
public final class Stamp {
  private static final DateTimeFormatter FORMAT =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

  private Stamp() {}

  public static String of(Instant time) {
    return FORMAT.format(time);
  }
}
