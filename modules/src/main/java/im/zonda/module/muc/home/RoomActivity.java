package im.zonda.module.muc.home;

import im.zonda.stanza.Message;
import im.zonda.xml.QName;
import java.util.Arrays;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/// The number of messages in a room by the hour, for the last day (XEP-0502). Confined to the
/// room's mailbox.
public final class RoomActivity {
  /// How far back messages are counted.
  public static final long PERIOD_MILLIS = 24 * 3_600_000L;

  private static final long HOUR_MILLIS = 3_600_000;
  private static final int HOURS = 25;
  private static final QName CORRECTION = new QName("urn:xmpp:message-correct:0", "replace");

  /// By the hour since 1970, modulo their number; null before the first message.
  private int @Nullable [] counts;

  private long lastHour;

  /// Since when all messages are counted, in ms; negative if not at all.
  private long since = -1;

  private boolean read;

  /// Whether the archive had more messages than were read.
  private boolean partly;

  /// Whether a message to the room counts: it has a body and corrects none.
  public static boolean counts(Message message) {
    return message.hasBody() && !message.has(CORRECTION);
  }

  /// Whether the archive has been read.
  public boolean isRead() {
    return read;
  }

  /// Starts over, before the messages of the archive are counted.
  ///
  /// @param fromMillis since when these are counted
  public void restart(long fromMillis) {
    clear();
    since = fromMillis;
    read = true;
  }

  /// Sets since when all messages are counted: older ones have not been read.
  ///
  /// @param fromMillis in the last hour if there are very many; the rate is then that of this time
  public void startAt(long fromMillis) {
    since = fromMillis;
    partly = true;
  }

  /// Counts a message. One of the archive may be older than the one before.
  public void count(long millis) {
    int[] all = counts;
    if (all == null) {
      all = new int[HOURS];
      counts = all;
    }
    if (since < 0) {
      since = millis;
    }
    long hour = millis / HOUR_MILLIS;
    if (hour <= lastHour - HOURS) {
      return;
    }
    forgetUntil(hour);
    all[(int) (hour % HOURS)]++;
  }

  private void forgetUntil(long hour) {
    int[] all = counts;
    if (all == null || hour <= lastHour) {
      return;
    }
    if (hour - lastHour >= HOURS) {
      Arrays.fill(all, 0);
    } else {
      for (long empty = lastHour + 1; empty <= hour; empty++) {
        all[(int) (empty % HOURS)] = 0;
      }
    }
    lastHour = hour;
  }

  /// The messages per hour; empty if they have been counted for less than an hour, and not since
  /// the room was created.
  public OptionalDouble perHour(long nowMillis, long createdMillis) {
    if (since < 0) {
      return OptionalDouble.empty();
    }
    long thisHour = nowMillis / HOUR_MILLIS;
    forgetUntil(thisHour);
    long oldest = (thisHour - HOURS + 1) * HOUR_MILLIS;
    long start = Math.max(Math.max(since, createdMillis), oldest);
    long span = nowMillis - start;
    if (span < HOUR_MILLIS && start > createdMillis && !partly) {
      return OptionalDouble.empty();
    }
    int total = counts == null ? 0 : Arrays.stream(counts).sum();
    long least = partly ? 1_000 : HOUR_MILLIS;
    return OptionalDouble.of((double) total * HOUR_MILLIS / Math.max(span, least));
  }

  /// Forgets everything when the room is unloaded.
  void clear() {
    counts = null;
    lastHour = 0;
    since = -1;
    read = false;
    partly = false;
  }
}
