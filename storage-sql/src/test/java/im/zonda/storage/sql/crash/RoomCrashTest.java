package im.zonda.storage.sql.crash;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.Storage;
import im.zonda.config.limits.Limits;
import im.zonda.jid.Jid;
import im.zonda.storage.contract.StoresContract;
import im.zonda.storage.sql.SqlStores;
import im.zonda.store.MessageArchive.Filter;
import im.zonda.store.MessageArchive.Portion;
import im.zonda.store.RoomStore.Stored;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A process that changes rooms is killed at any moment. Each room is as its last change or the
/// change in progress made it, never in between; its messages are there.
class RoomCrashTest {
  private static final long SEED = 20261121;
  private static final int ROUNDS = 5;

  /// Stands for a room that is not there.
  private static final String NONE = "none";

  @TempDir Path folder;
  private final Map<Jid, String> done = new HashMap<>();
  private final Map<Jid, String> trying = new HashMap<>();
  private final Map<Jid, Set<String>> said = new HashMap<>();
  private int found;
  private int messages;

  @Test
  void roomsSurviveAsTheyWereSaved() throws Exception {
    Random random = new Random(SEED);
    for (int round = 0; round < ROUNDS; round++) {
      AtomicInteger left = new AtomicInteger(1 + random.nextInt(2_000));
      new KilledProcess(CrashingRooms.class, folder)
          .run(round, this::note, report -> left.decrementAndGet() == 0);
      check();
    }
    // An empty database would prove nothing.
    assertThat(found).isPositive();
    assertThat(messages).isPositive();
  }

  private void note(List<String> words) {
    Jid room = Jid.of(words.get(1));
    switch (words.getFirst()) {
      case "trying" -> trying.put(room, words.get(2));
      case "done" -> {
        done.put(room, words.get(2));
        trying.remove(room);
      }
      case "said" -> said.computeIfAbsent(room, none -> new HashSet<>()).add(words.get(2));
      default -> throw new IllegalArgumentException(words.toString());
    }
  }

  private void check() {
    try (SqlStores stores =
        SqlStores.open(
            folder, new Storage(true, true, 2, 512), Limits.defaults(), InstantSource.system())) {
      stores.check();
      for (Jid room : CrashingRooms.rooms()) {
        String settings = checkRoom(room, stores.rooms().find(room));
        checkMessages(room, settings, stores);
        done.put(room, settings);
      }
      trying.clear();
    }
  }

  private String checkRoom(Jid room, @Nullable Stored stored) {
    String settings = stored == null ? NONE : stored.room().settings();
    String before = done.getOrDefault(room, NONE);
    assertThat(settings).isIn(before, trying.getOrDefault(room, before));
    if (stored != null) {
      found++;
      assertThat(stored).isEqualTo(CrashingRooms.stored(room, settings));
    }
    return settings;
  }

  /// What was said in this life of the room is there, and nothing of an earlier one.
  private void checkMessages(Jid room, String settings, SqlStores stores) {
    List<String> archived =
        stores
            .archive()
            .page(room, Filter.ALL, new Portion(false, 100_000, Long.MAX_VALUE))
            .entries()
            .stream()
            .map(StoresContract::body)
            .toList();
    if (settings.equals(NONE)) {
      assertThat(archived).isEmpty();
      return;
    }
    String life = CrashingRooms.life(settings);
    Set<String> promised = new HashSet<>(Objects.requireNonNullElse(said.get(room), Set.of()));
    promised.removeIf(body -> !CrashingRooms.life(body).equals(life));
    messages += promised.size();
    assertThat(archived)
        .doesNotHaveDuplicates()
        .containsAll(promised)
        .allMatch(body -> CrashingRooms.life(body).equals(life));
  }
}
