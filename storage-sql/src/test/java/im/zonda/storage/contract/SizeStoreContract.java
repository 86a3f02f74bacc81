package im.zonda.storage.contract;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.size.SizeStore.Measured;
import im.zonda.size.SizeStore.Size;
import im.zonda.store.MessageLog.Keep;
import im.zonda.store.RoomStore.Room;
import im.zonda.store.UploadStore.Upload;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Contract of the sizes of domains.
public abstract class SizeStoreContract extends StoresContract {
  private static final Jid NURSE = Jid.of("nurse@example.org");
  private static final Jid ROOM = Jid.of("green@rooms.example.org");

  private Measured measured(int rows) {
    stores.messages().flush();
    return stores.sizes().measure(rows, new Random(7));
  }

  private Size size(Measured measured, String domain) {
    return measured.sizes().stream()
        .filter(each -> each.domain().equals(domain))
        .findFirst()
        .orElse(Size.of(domain));
  }

  @Test
  void whatIsThereIsCounted() {
    assertThat(measured(1_000)).isEqualTo(new Measured(List.of(), false));
    makeAccounts(ROMEO, JULIET, NURSE);
    stores.rooms().save(new Room(ROOM, null, NOON, true, true, "Green", ""), List.of());
    for (int i = 0; i < 10; i++) {
      store(entry(i < 7 ? JULIET : NURSE, ROMEO, "x".repeat(100)), Keep.ARCHIVE);
    }
    store(entry(ROMEO, NURSE, "waits"), Keep.UNTIL_DELIVERED);
    store(entry(ROOM, NURSE, "said"), Keep.ARCHIVE);
    stores
        .uploads()
        .add(new Upload("s1", NURSE, "a", "b/c", 5_000_000_000L, "0".repeat(64), NOON, null));
    stores.uploads().add(new Upload("s2", NURSE, "a", "b/c", 7, "0".repeat(64), NOON, NOON));
    Measured all = measured(1_000);
    assertThat(all.estimated()).isFalse();
    assertThat(all.sizes())
        .extracting(Size::domain)
        .containsExactlyInAnyOrder("example.net", "example.org", "rooms.example.org");
    Size net = size(all, "example.net");
    assertThat(net.bytes()).isGreaterThan(700);
    assertThat(net).isEqualTo(new Size("example.net", 8, net.bytes(), 2, 0, 0, 0));
    Size org = size(all, "example.org");
    assertThat(org.bytes()).isBetween(300L, net.bytes());
    assertThat(org).isEqualTo(new Size("example.org", 3, org.bytes(), 1, 0, 2, 5_000_000_007L));
    Size rooms = size(all, "rooms.example.org");
    assertThat(rooms).isEqualTo(new Size("rooms.example.org", 1, rooms.bytes(), 0, 1, 0, 0));
  }

  /// In the first half of the time there are five times as many messages as in the second.
  @Test
  void manyMessagesAreEstimatedOrCounted() {
    makeAccounts(ROMEO, NURSE);
    for (int i = 0; i < 6_000; i++) {
      clock.set(NOON.plusSeconds(i < 5_000 ? i : 5_000 + (i - 5_000) * 5L));
      store(entry(i % 4 == 0 ? NURSE : ROMEO, JULIET, "x".repeat(100)), Keep.ARCHIVE);
    }
    Measured all = measured(600);
    Size net = size(all, "example.net");
    Size org = size(all, "example.org");
    assertThat(net.messages()).isBetween(3_000L, 6_000L);
    assertThat(org.messages()).isBetween(1_000L, 2_000L);
    assertThat(net.bytes()).isBetween(300_000L, 2_000_000L);
    if (all.estimated()) {
      assertThat(net.messages()).as("not all were read").isNotEqualTo(4_500);
    } else {
      assertThat(net.messages()).isEqualTo(4_500);
    }
    assertThat(measured(6_000).estimated()).isFalse();
  }
}
