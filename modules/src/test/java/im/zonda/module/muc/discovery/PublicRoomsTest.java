package im.zonda.module.muc.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import im.zonda.config.Rooms;
import im.zonda.directory.RoomDirectory.PublicRoom;
import im.zonda.jid.Jid;
import im.zonda.module.ServiceHomes;
import im.zonda.module.muc.home.RoomHome;
import im.zonda.module.muc.room.RoomConfig;
import im.zonda.module.testing.TestStores;
import im.zonda.store.RoomStore;
import im.zonda.store.StoreException;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class PublicRoomsTest {
  private final RoomStore store = new TestStores().rooms();
  private final PublicRooms rooms =
      new PublicRooms(
          store, Jid.of("rooms.example.org"), PublicRoomsTest::config, () -> new EmptyHomes());

  private static RoomConfig config(RoomStore.Room room) {
    if (room.name().equals("damaged")) {
      throw new StoreException(StoreException.Category.DAMAGED, "it is", null);
    }
    return RoomConfig.of(Rooms.DEFAULTS);
  }

  /// No room is in memory; those whose names begin with "far" are on another node.
  private static final class EmptyHomes implements ServiceHomes<RoomHome> {
    @Override
    public void submit(Jid address, boolean mayBlock, Consumer<RoomHome> task) {
      throw new IllegalStateException("a page loads no room");
    }

    @Override
    public boolean submitIfLoaded(Jid address, boolean mayBlock, Consumer<RoomHome> task) {
      return false;
    }

    @Override
    public boolean isHere(Jid address) {
      return !String.valueOf(address.local()).startsWith("far");
    }

    @Override
    public List<Jid> addresses() {
      return List.of();
    }

    @Override
    public void withdraw() {}
  }

  private void store(String local, String name, boolean listed) {
    Jid jid = Jid.of(local, "rooms.example.org", null);
    store.save(new RoomStore.Room(jid, null, Instant.EPOCH, true, listed, name, ""), List.of());
  }

  @Test
  void publicRoomsThatCanBeReadAreListed() {
    store("attic", "Attic", true);
    store("broken", "damaged", true);
    store("cellar", "", true);
    store("den", "Den", false);
    assertThat(rooms.publicRooms(10))
        .extracting(PublicRoom::name, PublicRoom::occupants, PublicRoom::open)
        .containsExactly(tuple("Attic", 0, true), tuple("cellar", 0, true));
    assertThat(rooms.publicRooms(1)).hasSize(1);
  }

  @Test
  void whoIsInARoomOnAnotherNodeIsNotKnown() {
    store("attic", "Attic", true);
    store("far-away", "Lighthouse", true);
    assertThat(rooms.publicRooms(10))
        .extracting(PublicRoom::name, PublicRoom::occupants)
        .containsExactly(tuple("Attic", 0), tuple("Lighthouse", -1));
  }
}
