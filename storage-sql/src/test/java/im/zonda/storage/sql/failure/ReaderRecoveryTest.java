package im.zonda.storage.sql.failure;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.Storage;
import im.zonda.jid.Jid;
import im.zonda.storage.sql.InterceptedConnections;
import im.zonda.storage.sql.SqlStores;
import im.zonda.storage.sql.TestDatabase;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ReaderRecoveryTest {
  private static final Jid ROMEO = Jid.of("romeo@example.net");

  @TempDir Path folder;

  /// The pool asks its first connection for the isolation, and never again.
  @Test
  void aFirstConnectionThatBreaksWhileThePoolAsksItLeavesTheOthersUsable() {
    InterceptedConnections connections = new InterceptedConnections();
    AtomicBoolean broken = new AtomicBoolean();
    connections.before(call -> {
      if (call.equals("getTransactionIsolation") && broken.compareAndSet(false, true)) {
        throw new SQLException("the connection has broken", "08006");
      }
    });
    try (SqlStores stores =
        TestDatabase.open(folder, new Storage(true, true, 0, 512, true), connections)) {
      assertThat(stores.accounts().find(ROMEO)).isNull();
      assertThat(broken).isTrue();
    }
  }
}
