package im.zonda.app.transfer.destination;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.Storage;
import im.zonda.config.limits.Limits;
import im.zonda.jid.Jid;
import im.zonda.stanza.Message;
import im.zonda.storage.sql.SqlStores;
import im.zonda.store.Account;
import im.zonda.store.MessageArchive;
import im.zonda.store.MessageLog;
import im.zonda.store.MessageLog.Entry;
import im.zonda.store.MessageLog.Keep;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EntryBatchTest {
  private static final Jid ANNA = Jid.of("anna@a.example");
  private static final Jid BERT = Jid.of("bert@a.example");
  private static final long THEN = 1_600_000_000_000_000L;

  @TempDir private Path folder;

  private static Entry entry(Jid owner, long id) {
    return new Entry(
        owner, id, BERT, Message.of(Message.Type.CHAT, BERT, owner, "m" + id, List.of()));
  }

  private static List<Long> ids(SqlStores stores, Jid owner) {
    return stores
        .archive()
        .page(
            owner,
            MessageArchive.Filter.ALL,
            new MessageArchive.Portion(false, 1_000, Long.MAX_VALUE))
        .entries()
        .stream()
        .map(MessageLog.Entry::id)
        .toList();
  }

  /// An id is one of the whole database: an earlier run may have used it for another account.
  @Test
  void anIdThatIsTakenIsReplacedByTheNext() {
    try (SqlStores stores =
        SqlStores.open(
            folder, new Storage(true, true, 0, 512), Limits.defaults(), InstantSource.system())) {
      stores
          .accounts()
          .create(
              List.of(
                  new Account(ANNA, List.of(), Instant.EPOCH),
                  new Account(BERT, List.of(), Instant.EPOCH)));
      EntryBatch first = new EntryBatch(stores.messages(), new FreeIds());
      LongStream.range(THEN, THEN + 100)
          .forEach(id -> first.add(entry(ANNA, id), Keep.ARCHIVE, false));
      assertThat(first.flush()).isZero();
      FreeIds ids = new FreeIds();
      EntryBatch second = new EntryBatch(stores.messages(), ids);
      LongStream.range(THEN + 50, THEN + 60)
          .forEach(id -> second.add(entry(BERT, ids.next(id)), Keep.ARCHIVE, false));
      second.add(entry(BERT, ids.next(THEN + 200)), Keep.ARCHIVE, false);
      assertThat(second.flush()).isZero();
      assertThat(ids(stores, ANNA))
          .containsExactlyElementsOf(LongStream.range(THEN, THEN + 100).boxed().toList());
      List<Long> moved = ids(stores, BERT);
      assertThat(moved).hasSize(11).allMatch(id -> id >= THEN + 100);
    }
  }

  @Test
  void anIdIsGivenOnce() {
    FreeIds ids = new FreeIds();
    Set<Long> given = new HashSet<>();
    for (int i = 0; i < 10_000; i++) {
      assertThat(given.add(ids.next(THEN + i % 100))).isTrue();
    }
    assertThat(ids.next(THEN + 20_000)).isEqualTo(THEN + 20_000);
  }
}
