package im.zonda.app.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.module.admin.AdminModule;
import im.zonda.storage.memory.MemoryStores;
import im.zonda.store.KeyValueStore;
import im.zonda.store.RoomStore.Room;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;

class HostDataTest {
  @Test
  void whatAdministratorsHaveSetIsErasedWithItsHost() {
    MemoryStores stores = new MemoryStores(InstantSource.system());
    KeyValueStore settings = stores.keyValues(AdminModule.STORE);
    KeyValueStore reports = stores.keyValues(AdminModule.REPORTS);
    Jid erased = Jid.of("b.example");
    Jid other = Jid.of("a.example");
    for (Jid host : List.of(erased, other)) {
      settings.put(host, "admins", new byte[] {1});
      settings.put(host, "motd", new byte[] {2});
      reports.put(host, "000000000000000-a", new byte[] {3});
    }
    assertThat(HostData.erase(stores, "b.example", List.of("rooms.b.example"), 10)).isZero();
    assertThat(settings.all(erased)).isEmpty();
    assertThat(settings.all(other)).hasSize(2);
    assertThat(reports.all(erased)).isEmpty();
    assertThat(reports.all(other)).hasSize(1);
  }

  @Test
  void removedRoomsAreErasedWithTheirHost() {
    MemoryStores stores = new MemoryStores(InstantSource.system());
    for (String address : List.of("garden@rooms.b.example", "garden@rooms.a.example")) {
      Jid room = Jid.of(address);
      stores.rooms().save(new Room(room, null, Instant.EPOCH, true, false, "", ""), List.of());
      stores.rooms().removeRestorably(room, Instant.EPOCH, 10);
    }
    assertThat(HostData.erase(stores, "b.example", List.of("rooms.b.example"), 10)).isEqualTo(1);
    assertThat(stores.rooms().removed("rooms.b.example", null, 10)).isEmpty();
    assertThat(stores.rooms().removed("rooms.a.example", null, 10)).hasSize(1);
  }
}
