package im.zonda.storage.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import im.zonda.config.Storage;
import im.zonda.config.limits.Limits;
import im.zonda.jid.Jid;
import im.zonda.storage.contract.StoresContract;
import im.zonda.store.MessageLog;
import im.zonda.store.StoreException;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The database cannot grow: the real error of the real database.
class DiskFullTest {
  private static final Jid ROMEO = Jid.of("romeo@example.net");
  private static final Jid JULIET = Jid.of("juliet@example.net");

  @TempDir Path folder;
  private final InterceptedConnections connections = new InterceptedConnections();

  private SqlStores open() {
    return SqlStores.open(
        folder,
        new Storage(true, true, 1, 64),
        Limits.defaults(),
        InstantSource.system(),
        connections);
  }

  @Test
  void whatIsAcknowledgedIsThereAndTheRestFollowsWhenThereIsSpace() throws Exception {
    Set<String> committed = Collections.synchronizedSet(new HashSet<>());
    int total = 1_000;
    CountDownLatch all = new CountDownLatch(total);
    try (SqlStores stores = open()) {
      stores.accounts().create(List.of(StoresContract.account(ROMEO)));
      limitGrowth(20);
      for (int i = 0; i < total; i++) {
        String body = i + "z".repeat(300);
        StoresContract.append(stores, ROMEO, JULIET, body)
            .whenCommitted(() -> {
              committed.add(body);
              all.countDown();
            });
      }
      StoreException full =
          catchThrowableOfType(StoreException.class, () -> stores.messages().flush());
      assertThat(full.category()).as(full.getMessage()).isEqualTo(StoreException.Category.FULL);
      assertThat(full.retryable()).isTrue();
      assertThat(committed).isNotEmpty().hasSizeLessThan(total);
      assertThat(stores.health().category()).isEqualTo(StoreException.Category.FULL);
      assertThat(stores.messages().state().cause()).isEqualTo(StoreException.Category.FULL);
      assertThat(stores.messages().state().acceptsForLater()).isFalse();
      assertThat(stores.accounts().find(ROMEO)).isNotNull();
      assertThat(stores.messages().waitingCount(ROMEO)).isEqualTo(total);
      StoreException change =
          catchThrowableOfType(
              StoreException.class,
              () -> stores.keyValues("vcard").put(ROMEO, "big", new byte[500_000]));
      assertThat(change.category()).isEqualTo(StoreException.Category.FULL);

      limitGrowth(100_000);
      assertThat(all.await(10, TimeUnit.SECONDS)).isTrue();
      stores.messages().flush();
      assertThat(stores.health().ok()).isTrue();
      stores.keyValues("vcard").put(ROMEO, "big", new byte[500_000]);
      assertThat(stores.messages().waitingCount(ROMEO)).isEqualTo(total);
    }
    try (SqlStores stores = open()) {
      List<MessageLog.Entry> waiting = stores.messages().waiting(ROMEO, 0, total + 1);
      assertThat(waiting).hasSize(total);
      for (int i = 0; i < total; i++) {
        assertThat(StoresContract.body(waiting.get(i))).startsWith(i + "z");
      }
    }
  }

  /// Lets the database grow by `pages` from now on.
  private void limitGrowth(int pages) throws SQLException {
    try (Statement statement = connections.writer().createStatement()) {
      int used;
      try (ResultSet row = statement.executeQuery("pragma page_count")) {
        row.next();
        used = row.getInt(1);
      }
      statement.execute("pragma max_page_count = " + (used + pages));
    }
  }
}
