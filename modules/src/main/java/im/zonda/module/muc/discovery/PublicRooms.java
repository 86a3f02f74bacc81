package im.zonda.module.muc.discovery;

import im.zonda.directory.RoomDirectory;
import im.zonda.jid.Jid;
import im.zonda.module.ServiceHomes;
import im.zonda.module.muc.home.OccupantCounts;
import im.zonda.module.muc.home.RoomHome;
import im.zonda.module.muc.room.RoomConfig;
import im.zonda.module.muc.room.RoomName;
import im.zonda.store.RoomStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The public rooms, for pages. Damaged rooms are left out.
///
/// @param store the rooms
/// @param domain the service
/// @param configs reads the configuration of a stored room
/// @param homes the rooms in memory
public record PublicRooms(
    RoomStore store,
    Jid domain,
    Function<RoomStore.Room, RoomConfig> configs,
    Supplier<ServiceHomes<RoomHome>> homes)
    implements RoomDirectory {
  private static final Logger LOG = LoggerFactory.getLogger(PublicRooms.class);

  @Override
  public List<PublicRoom> publicRooms(int most) {
    List<RoomStore.Room> stored = store.listed(domain.domain(), null, null, most);
    Map<Jid, Integer> occupants =
        new OccupantCounts(homes).of(stored.stream().map(RoomStore.Room::jid).toList());
    List<PublicRoom> rooms = new ArrayList<>();
    for (RoomStore.Room room : stored) {
      RoomConfig config;
      try {
        config = configs.apply(room);
      } catch (RuntimeException e) {
        LOG.atError().addKeyValue("room", room.jid()).setCause(e).log("room_config_unreadable");
        continue;
      }
      String name = RoomName.of(room.jid(), room.name());
      rooms.add(
          new PublicRoom(
              room.jid(),
              name,
              config.description(),
              occupants.getOrDefault(room.jid(), -1),
              config.password() == null && !config.membersOnly()));
    }
    return rooms;
  }
}
