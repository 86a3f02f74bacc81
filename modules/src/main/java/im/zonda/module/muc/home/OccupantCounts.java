package im.zonda.module.muc.home;

import im.zonda.jid.Jid;
import im.zonda.module.ServiceHomes;
import im.zonda.module.muc.home.RoomHome.LiveRoom;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Counts the occupants of rooms without loading any.
///
/// @param homes the rooms in memory
public record OccupantCounts(Supplier<ServiceHomes<RoomHome>> homes) {
  private static final Logger LOG = LoggerFactory.getLogger(OccupantCounts.class);

  /// How long the rooms are waited for; those that are busy then have no number of occupants.
  private static final long PATIENCE_MILLIS = 1_000;

  /// The rooms of this node that somebody is in, with the numbers of occupants. Blocks.
  public Map<Jid, Integer> occupied() {
    Map<Jid, Integer> counted = new HashMap<>(of(homes.get().addresses()));
    counted.values().removeIf(count -> count == 0);
    return counted;
  }

  /// The numbers of occupants that are known here. A room that is not in memory has none, unless it
  /// is on another node: what is there is not known here. Blocks.
  public Map<Jid, Integer> of(List<Jid> rooms) {
    Map<Jid, Integer> counted = new ConcurrentHashMap<>();
    CountDownLatch waiting = new CountDownLatch(rooms.size());
    for (Jid room : rooms) {
      boolean loaded =
          homes
              .get()
              .submitIfLoaded(
                  room,
                  false,
                  home -> {
                    LiveRoom live = home.live();
                    counted.put(home.jid(), live == null ? 0 : live.room().occupants().size());
                    waiting.countDown();
                  });
      if (!loaded) {
        if (homes.get().isHere(room)) {
          counted.put(room, 0);
        }
        waiting.countDown();
      }
    }
    try {
      if (!waiting.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)) {
        LOG.atDebug().addKeyValue("rooms", rooms.size()).log("rooms_not_counted");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return Map.copyOf(counted);
  }
}
