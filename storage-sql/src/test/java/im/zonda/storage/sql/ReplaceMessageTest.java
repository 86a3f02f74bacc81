package im.zonda.storage.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import im.zonda.config.Storage;
import im.zonda.config.limits.Limits;
import im.zonda.jid.Jid;
import im.zonda.stanza.Message;
import im.zonda.storage.contract.StoresContract;
import im.zonda.store.MessageArchive;
import im.zonda.store.MessageLog;
import im.zonda.store.MessageLog.Keep;
import im.zonda.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/// Replacing a message when the disk fails and when the process is killed.
@ParameterizedClass
@MethodSource("im.zonda.storage.sql.TestDatabase#all")
@Timeout(60)
class ReplaceMessageTest {
  private static final Jid ROMEO = Jid.of("romeo@example.net");
  private static final Jid JULIET = Jid.of("juliet@example.net");
  private static final MessageArchive.Portion ALL = new MessageArchive.Portion(false, 10, 10_000);

  private final TestDatabase database;
  @TempDir Path folder;
  private final InterceptedConnections connections = new InterceptedConnections();

  ReplaceMessageTest(TestDatabase database) {
    this.database = database;
  }

  private SqlStores open(Path data) {
    return SqlStores.open(
        data,
        database.settings(data, new Storage(true, true, 0, 512)),
        Limits.defaults(),
        InstantSource.system(),
        connections);
  }

  private static long archived(SqlStores stores, String body) {
    stores.accounts().create(List.of(StoresContract.account(ROMEO)));
    long id = stores.messages().nextId();
    MessageLog.Entry entry = new MessageLog.Entry(ROMEO, id, JULIET, message(body));
    stores.messages().append(entry, Keep.ARCHIVE, false);
    return id;
  }

  private static Message message(String body) {
    return StoresContract.message(JULIET, ROMEO, body);
  }

  private static List<String> bodies(SqlStores stores) {
    return stores.archive().page(ROMEO, MessageArchive.Filter.ALL, ALL).entries().stream()
        .map(StoresContract::body)
        .toList();
  }

  @Test
  void whatCouldNotBeReplacedIsAsItWas() throws InterruptedException {
    try (SqlStores stores = open(folder)) {
      long id = archived(stores, "before");
      stores.messages().flush();
      connections.before(call -> {
        if (call.equals("commit")) {
          throw database.failure(TestDatabase.Fault.WRITE, "the test's");
        }
      });
      assertThatThrownBy(() -> stores.archive().replace(ROMEO, id, message("after")))
          .isInstanceOf(StoreException.class);
      connections.before(call -> {});
      awaitStoring(stores);
      assertThat(bodies(stores)).containsExactly("before", "meanwhile");
      assertThat(stores.archive().replace(ROMEO, id, message("after"))).isTrue();
      assertThat(bodies(stores)).containsExactly("after", "meanwhile");
    }
  }

  /// An entry waits until the store can write again.
  private static void awaitStoring(SqlStores stores) throws InterruptedException {
    CountDownLatch committed = new CountDownLatch(1);
    long id = stores.messages().nextId();
    MessageLog.Entry entry = new MessageLog.Entry(ROMEO, id, JULIET, message("meanwhile"));
    stores.messages().append(entry, Keep.ARCHIVE, false).whenCommitted(committed::countDown);
    assertThat(committed.await(30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void itIsDurableWhenTheCallReturns() throws IOException {
    assumeTrue(database == TestDatabase.SQLITE, "it copies the files of SQLite");
    Path data = Files.createDirectory(folder.resolve("data"));
    Path copy = Files.createDirectory(folder.resolve("copy"));
    try (SqlStores stores = open(data)) {
      long id = archived(stores, "before");
      stores.archive().replace(ROMEO, id, message("after"));
      // What a process that is killed now leaves behind.
      try (Stream<Path> files = Files.list(data)) {
        for (Path file : files.filter(each -> !each.toString().endsWith("-shm")).toList()) {
          Files.copy(file, copy.resolve(file.getFileName()));
        }
      }
    }
    try (SqlStores stores = open(copy)) {
      assertThat(bodies(stores)).containsExactly("after");
    }
  }
}
