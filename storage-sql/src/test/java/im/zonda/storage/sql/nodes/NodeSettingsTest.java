package im.zonda.storage.sql.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.config.Storage;
import im.zonda.config.limits.Limits;
import im.zonda.storage.sql.SqlStores;
import im.zonda.storage.sql.TestDatabase;
import im.zonda.storage.sql.server.NodeProcess;
import im.zonda.store.StoreException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/// What all nodes of a cluster must have in common is agreed on in the database.
@ParameterizedClass
@MethodSource("im.zonda.storage.sql.TestDatabase#servers")
@Timeout(120)
class NodeSettingsTest {
  private static final String ONE = "11".repeat(32);
  private static final String OTHER = "22".repeat(32);

  private final TestDatabase database;
  @TempDir Path folder;
  private final List<SqlStores> opened = new ArrayList<>();

  NodeSettingsTest(TestDatabase database) {
    this.database = database;
  }

  private synchronized SqlStores kept(SqlStores stores) {
    opened.add(stores);
    return stores;
  }

  private SqlStores open(NodeProcess node, boolean fullText) {
    Storage settings = database.settings(folder, new Storage(true, true, 0, 512, fullText));
    return kept(
        SqlStores.openNode(folder, settings, Limits.defaults(), InstantSource.system(), node));
  }

  private SqlStores open(String name, String secret, boolean keepsSecret) {
    return open(new NodeProcess(name, secret, keepsSecret), true);
  }

  @AfterEach
  void close() {
    opened.forEach(SqlStores::close);
  }

  @Test
  void theSecretOfTheFirstNodeIsThatOfAll() {
    assertThat(open("first", ONE, true).clusterSecret()).isEqualTo(ONE);
    assertThat(open("second", OTHER, false).clusterSecret()).isEqualTo(ONE);
    assertThat(open("third", ONE, true).clusterSecret()).isEqualTo(ONE);
  }

  @Test
  void theSecretStaysWhenAllNodesHaveStopped() {
    open("first", ONE, false).close();
    assertThat(open("second", OTHER, false).clusterSecret()).isEqualTo(ONE);
  }

  @Test
  void aNodeWithAnotherSecretIsRefusedAndTheSecretsAreNotShown() {
    open("first", ONE, false);
    assertThatThrownBy(() -> open("second", OTHER, true))
        .isInstanceOfSatisfying(
            StoreException.class,
            refusal ->
                assertThat(refusal.category()).isEqualTo(StoreException.Category.UNAVAILABLE))
        .hasMessageContaining("delete that file")
        .hasMessageNotContaining(ONE)
        .hasMessageNotContaining(OTHER);
    assertThat(open("second", OTHER, false).clusterSecret()).isEqualTo(ONE);
  }

  @Test
  void nodesThatStartTogetherHaveOneSecret() throws Exception {
    open("first", ONE, false).close();
    clear();
    List<Future<String>> secrets = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (String name : List.of("first", "second", "third")) {
        secrets.add(threads.submit(() -> open(name, secretOf(name), false).clusterSecret()));
      }
    }
    for (Future<String> each : secrets) {
      assertThat(each.get()).isEqualTo(secrets.getFirst().get());
    }
  }

  private void clear() throws SQLException {
    database.execute(folder, "delete from cluster_setting");
  }

  private static String secretOf(String name) {
    return String.format("%064x", name.hashCode());
  }

  @Test
  void nodesWithAndWithoutFullTextSearchDoNotRunTogether() {
    SqlStores first = open(TestDatabase.process("first"), true);
    assertThatThrownBy(() -> open(TestDatabase.process("second"), false))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("other nodes with storage.full-text = true");
    open(TestDatabase.process("third"), true).close();
    first.close();
    open(TestDatabase.process("second"), false);
    assertThatThrownBy(() -> open(TestDatabase.process("first"), true))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("other nodes with storage.full-text = false");
  }
}
