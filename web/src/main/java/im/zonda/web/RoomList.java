package im.zonda.web;

import im.zonda.directory.RoomDirectory;
import im.zonda.directory.RoomDirectory.PublicRoom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/// The public rooms as pages show them, with the most people first. Read at most every [#AGE]: a
/// page that is asked for often costs the database nothing.
final class RoomList {
  /// The most rooms on a page.
  static final int MOST = 200;

  private static final Duration AGE = Duration.ofSeconds(5);

  private final RoomDirectory directory;
  private final InstantSource clock;
  private List<PublicRoom> rooms = List.of();
  private Instant read = Instant.MIN;

  RoomList(RoomDirectory directory, InstantSource clock) {
    this.directory = directory;
    this.clock = clock;
  }

  /// The rooms. Blocks.
  synchronized List<PublicRoom> latest() {
    Instant now = clock.instant();
    if (read.isBefore(now.minus(AGE)) || read.isAfter(now)) {
      rooms =
          directory.publicRooms(MOST).stream()
              .sorted((a, b) -> Integer.compare(b.occupants(), a.occupants()))
              .toList();
      read = now;
    }
    return rooms;
  }
}
