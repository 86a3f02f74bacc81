package im.zonda.storage.sql.failure;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.Storage;
import im.zonda.jid.Jid;
import im.zonda.storage.contract.StoresContract;
import im.zonda.storage.sql.InterceptedConnections;
import im.zonda.storage.sql.SqlStores;
import im.zonda.storage.sql.TestDatabase;
import im.zonda.store.MessageArchive.Filter;
import im.zonda.store.MessageArchive.Page;
import im.zonda.store.MessageArchive.Portion;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Searches in archives that take long do not keep others from reading.
@Timeout(60)
class SearchTest {
  private static final Jid ROMEO = Jid.of("romeo@example.net");
  private static final Filter WORD = new Filter(null, Long.MIN_VALUE, Long.MAX_VALUE, null, "word");
  private static final Portion ALL = new Portion(false, 100, 1L << 30);

  @TempDir Path folder;

  @Test
  void twoSlowSearchesLeaveAConnection() throws Exception {
    InterceptedConnections connections = new InterceptedConnections();
    CountDownLatch searching = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    try (SqlStores stores =
            TestDatabase.open(folder, new Storage(true, true, 0, 512, true), connections);
        var callers = Executors.newVirtualThreadPerTaskExecutor()) {
      stores.accounts().create(List.of(StoresContract.account(ROMEO)));
      assertThat(stores.archive().searches()).isTrue();
      assertThat(stores.archive().page(ROMEO, WORD, ALL).entries()).isEmpty();
      assertThat(stores.accounts().find(ROMEO)).isNotNull();
      connections.before(call -> {
        if (call.equals("setAutoCommit")) { // begins what an archive is asked
          searching.countDown();
          try {
            go.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        }
      });
      List<Future<Page>> searches = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        searches.add(callers.submit(() -> stores.archive().page(ROMEO, WORD, ALL)));
      }
      searching.await();
      for (int i = 0; i < 10; i++) {
        assertThat(stores.accounts().find(ROMEO)).isNotNull();
      }
      go.countDown();
      for (Future<Page> each : searches) {
        assertThat(each.get().entries()).isEmpty();
      }
    }
  }
}
