package im.zonda.module.muc.home;

import im.zonda.xml.Element;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/// The amount of history that a user requests on entering (XEP-0045, section 7.2.13). An invalid
/// value counts as missing.
///
/// @param maxChars characters of all messages as XML
/// @param maxStanzas number of messages
/// @param since the oldest time, or null
public record HistoryRequest(long maxChars, int maxStanzas, @Nullable Instant since) {
  /// Requests the whole history.
  static final HistoryRequest ALL = new HistoryRequest(Long.MAX_VALUE, Integer.MAX_VALUE, null);

  /// Reads the `<x/>` payload of the presence that enters.
  public static HistoryRequest of(@Nullable Element enter, Instant now) {
    Element history = enter == null ? null : enter.child("history");
    if (history == null) {
      return ALL;
    }
    Instant since = time(history.attribute("since"));
    long seconds = number(history.attribute("seconds"), -1);
    if (seconds >= 0) {
      Instant ago = now.minusSeconds(seconds);
      since = since == null || since.isBefore(ago) ? ago : since;
    }
    return new HistoryRequest(
        number(history.attribute("maxchars"), Long.MAX_VALUE),
        (int) number(history.attribute("maxstanzas"), Integer.MAX_VALUE),
        since);
  }

  private static long number(@Nullable String text, long otherwise) {
    if (text == null || text.isEmpty() || text.length() > 9) {
      return otherwise;
    }
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return otherwise;
      }
    }
    return Long.parseLong(text);
  }

  private static @Nullable Instant time(@Nullable String text) {
    if (text == null) {
      return null;
    }
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException e) {
      return null;
    }
  }
}
