package im.zonda.module.muc;

import im.zonda.module.muc.Room.AffiliationChange;
import im.zonda.module.muc.Room.Subject;
import im.zonda.module.muc.RoomHome.LiveRoom;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// About how many bytes of memory a room's own state takes.
final class RoomCost {
  /// A room of which nothing is known but its address: its home, mailbox and maps.
  private static final int ROOM = 4_096;

  private RoomCost() {}

  /// Charges the room's creator for the room as it would be; false, and nothing has changed, if the
  /// creator may not use so much more.
  static boolean charge(
      LiveRoom live,
      RoomConfig config,
      @Nullable Subject subject,
      List<AffiliationChange> changes) {
    Room room = live.room();
    return live.cost().resize(of(config, subject, room.affiliations().cost(changes), room.hats()));
  }

  /// The same for other hats.
  static boolean charge(LiveRoom live, Hats hats) {
    Room room = live.room();
    return live.cost()
        .resize(of(room.config(), room.subject(), room.affiliations().cost(List.of()), hats));
  }

  private static long of(
      RoomConfig config, @Nullable Subject subject, long affiliations, Hats hats) {
    long bytes = ROOM + affiliations + hats.cost();
    bytes +=
        MemoryCost.ofText(config.name())
            + MemoryCost.ofText(config.description())
            + MemoryCost.ofText(config.lang());
    bytes += MemoryCost.ofText(config.password());
    for (String contact : config.contacts()) {
      bytes += MemoryCost.ofText(contact);
    }
    return bytes + (subject == null ? 0 : subject.message().writtenSize());
  }
}
