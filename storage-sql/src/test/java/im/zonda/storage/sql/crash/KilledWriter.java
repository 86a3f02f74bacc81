package im.zonda.storage.sql.crash;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.Storage;
import im.zonda.config.limits.Limits;
import im.zonda.jid.Jid;
import im.zonda.storage.contract.StoresContract;
import im.zonda.storage.sql.SqlStores;
import im.zonda.store.MessageLog;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/// Runs [CrashingWriter] as a process of its own, kills it, and checks what it had reported as
/// durable.
final class KilledWriter {
  private final Path folder;
  private final Map<String, Long> durable = new HashMap<>();
  private final Set<String> delivered = new HashSet<>();

  KilledWriter(Path folder) {
    this.folder = folder;
  }

  /// Starts the writer, reads its reports, and kills it at the first for which `last` holds. What
  /// it had written until it was dead is read too.
  void run(int round, Predicate<String> last) throws IOException, InterruptedException {
    new KilledProcess(CrashingWriter.class, folder).run(round, this::note, last);
  }

  private void note(List<String> words) {
    switch (words.getFirst()) {
      case "committed" -> durable.put(words.get(1), Long.valueOf(words.get(2)));
      case "delivered" -> delivered.add(words.get(1));
      default -> {}
    }
  }

  /// The number of entries that it has reported as durable.
  int promises() {
    return durable.size();
  }

  /// Everything reported as durable is there, in order and once; the database is undamaged.
  void check() {
    try (SqlStores stores =
        SqlStores.open(
            folder, new Storage(true, true, 2, 512), Limits.defaults(), InstantSource.system())) {
      stores.check();
      Set<String> found = new HashSet<>();
      for (int i = 0; i < CrashingWriter.OWNERS; i++) {
        Jid owner = CrashingWriter.owner(i);
        long before = 0;
        for (MessageLog.Entry entry : stores.messages().waiting(owner, 0, 1_000_000)) {
          assertThat(entry.id()).isGreaterThan(before);
          before = entry.id();
          assertThat(found.add(StoresContract.body(entry))).isTrue();
        }
      }
      Set<String> lost = new HashSet<>(durable.keySet());
      lost.removeAll(found);
      lost.removeAll(delivered);
      assertThat(lost).isEmpty();
      assertThat(stores.messages().nextId())
          .isGreaterThan(durable.values().stream().max(Long::compare).orElse(0L));
    }
  }
}
