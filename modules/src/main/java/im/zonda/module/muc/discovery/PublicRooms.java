package im.zonda.module.muc.discovery;

import im.zonda.directory.RoomDirectory;
import im.zonda.jid.Jid;
import im.zonda.module.ServiceHomes;
import im.zonda.module.muc.home.RoomHome;
import im.zonda.module.muc.home.RoomHome.LiveRoom;
import im.zonda.module.muc.room.RoomConfig;
import im.zonda.module.muc.room.RoomName;
import im.zonda.store.RoomStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
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

  /// How long the rooms are waited for; those that are busy then have no number of occupants.
  private static final long PATIENCE_MILLIS = 1_000;

  @Override
  public List<PublicRoom> publicRooms(int most) {
    List<RoomStore.Room> stored = store.listed(domain.domain(), null, null, most);
    Map<Jid, Integer> occupants = countOccupants(stored);
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

  /// A room that is not in memory has no occupants, unless it is on another node: what is there is
  /// not known here.
  private Map<Jid, Integer> countOccupants(List<RoomStore.Room> rooms) {
    Map<Jid, Integer> counted = new ConcurrentHashMap<>();
    CountDownLatch waiting = new CountDownLatch(rooms.size());
    for (RoomStore.Room room : rooms) {
      boolean loaded =
          homes
              .get()
              .submitIfLoaded(
                  room.jid(),
                  false,
                  home -> {
                    LiveRoom live = home.live();
                    counted.put(home.jid(), live == null ? 0 : live.room().occupants().size());
                    waiting.countDown();
                  });
      if (!loaded) {
        if (homes.get().isHere(room.jid())) {
          counted.put(room.jid(), 0);
        }
        waiting.countDown();
      }
    }
    try {
      if (!waiting.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)) {
        LOG.atDebug().addKeyValue("domain", domain).log("rooms_not_counted");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return Map.copyOf(counted);
  }
}
