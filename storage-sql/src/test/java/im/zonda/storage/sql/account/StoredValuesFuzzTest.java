package im.zonda.storage.sql.account;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import im.zonda.config.Storage;
import im.zonda.config.limits.Limits;
import im.zonda.jid.Jid;
import im.zonda.storage.contract.StoresContract;
import im.zonda.storage.sql.SqlStores;
import im.zonda.store.KeyValueStore;
import im.zonda.store.RoomStore;
import im.zonda.store.RosterItem;
import im.zonda.store.Subscription;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/// Any texts and bytes as values in the database are read as they were written, and change nothing
/// else. Runs the committed seeds; `./zonda test --fuzz` searches for more. What differs between
/// databases is in the contract of the stores.
class StoredValuesFuzzTest {
  private static final Jid ROMEO = Jid.of("romeo@example.net");
  private static final Jid JULIET = Jid.of("juliet@example.net");
  private static final Jid GARDEN = Jid.of("garden@rooms.example.net");
  private static final byte[] OTHER = {1, 2, 3};

  @TempDir private static Path folder;
  private static SqlStores stores;

  @BeforeAll
  static void openStores() {
    stores =
        SqlStores.openWithoutSync(
            folder.resolve("zonda.db"),
            new Storage(true, true, 0, 512),
            Limits.defaults(),
            InstantSource.system());
    stores
        .accounts()
        .create(List.of(StoresContract.account(ROMEO), StoresContract.account(JULIET)));
    stores.keyValues("fuzz").put(JULIET, "other", OTHER);
  }

  @AfterAll
  static void closeStores() {
    stores.close();
  }

  /// The first half of the bytes, up to their first zero, is the key.
  @FuzzTest(maxDuration = "2m")
  void anyValue(byte[] data) {
    int zero = 0;
    while (zero < data.length / 2 && data[zero] != 0) {
      zero++;
    }
    String key = new String(data, 0, zero, StandardCharsets.UTF_8);
    byte[] value = Arrays.copyOfRange(data, zero, data.length);
    KeyValueStore values = stores.keyValues("fuzz");
    values.put(ROMEO, key, value);
    assertThat(values.get(ROMEO, key)).isEqualTo(value);
    assertThat(values.all(ROMEO)).containsOnlyKeys(key);
    assertThat(values.get(JULIET, "other")).isEqualTo(OTHER);
    assertThat(values.remove(ROMEO, key)).isTrue();
    assertThat(values.all(ROMEO)).isEmpty();
    assertThat(values.all(JULIET)).containsOnlyKeys("other");
  }

  /// Names that users choose, in the columns of a roster and a room.
  @FuzzTest(maxDuration = "2m")
  void anyText(byte[] data) {
    String text = new String(data, StandardCharsets.UTF_8).replace("\0", "");
    RosterItem item =
        new RosterItem(
            JULIET, text, Subscription.BOTH, false, false, List.of("a", text), null, true);
    stores.rosters().put(ROMEO, item);
    RosterItem read = stores.rosters().load(ROMEO).items().iterator().next();
    assertThat(read.name()).isEqualTo(text);
    assertThat(read.groups()).contains(text);
    RoomStore.Room room =
        new RoomStore.Room(GARDEN, ROMEO, StoresContract.NOON, true, true, text, text);
    stores.rooms().save(room, List.of());
    assertThat(Objects.requireNonNull(stores.rooms().find(GARDEN)).room()).isEqualTo(room);
    if (!text.isEmpty()) {
      assertThat(stores.rooms().listed("rooms.example.net", null, text, 10)).contains(room);
    }
  }
}
