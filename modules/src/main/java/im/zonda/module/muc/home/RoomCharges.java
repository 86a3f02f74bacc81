package im.zonda.module.muc.home;

import im.zonda.module.muc.home.RoomHome.LiveRoom;
import im.zonda.module.muc.room.Hats;
import im.zonda.module.muc.room.MemoryCost;
import im.zonda.module.muc.room.Room;
import im.zonda.module.muc.room.Room.AffiliationChange;
import im.zonda.module.muc.room.Room.Subject;
import im.zonda.module.muc.room.RoomConfig;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Charges the creator of a room for the memory of the room's state.
public final class RoomCharges {
  /// Memory of an empty room: its home, mailbox and maps.
  private static final int ROOM = 4_096;

  private RoomCharges() {}

  /// Charges for the room with these changes; returns false, and charges nothing, if the creator
  /// would use too much memory.
  public static boolean charge(
      LiveRoom live,
      RoomConfig config,
      @Nullable Subject subject,
      List<AffiliationChange> changes) {
    Room room = live.room();
    return live.cost().resize(of(config, subject, room.affiliations().cost(changes), room.hats()));
  }

  /// Charges for the room with other hats; returns false, and charges nothing, if the creator would
  /// use too much memory.
  public static boolean charge(LiveRoom live, Hats hats) {
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
            + MemoryCost.ofText(config.lang())
            + MemoryCost.ofText(config.space());
    bytes += MemoryCost.ofText(config.password());
    for (String contact : config.contacts()) {
      bytes += MemoryCost.ofText(contact);
    }
    return bytes + (subject == null ? 0 : subject.message().writtenSize());
  }
}
