package im.zonda.module.admin.home;

import java.time.Instant;

/// A message of the host that is stored: the message of the day, or the welcome message.
///
/// @param since when it was set; an edited one keeps the time, and is not sent again to users who
///   have seen it
/// @param text the text
public record Notice(Instant since, String text) {
  String stored() {
    return since.toEpochMilli() + "\n" + text;
  }

  static Notice read(String stored) {
    int end = stored.indexOf('\n');
    return new Notice(
        Instant.ofEpochMilli(Long.parseLong(stored.substring(0, end))), stored.substring(end + 1));
  }
}
