package im.zonda.storage.sql.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.config.Storage;
import im.zonda.config.limits.Limits;
import im.zonda.jid.Jid;
import im.zonda.storage.contract.StoresContract;
import im.zonda.storage.sql.SqlStores;
import im.zonda.storage.sql.TestDatabase;
import im.zonda.store.MessageArchive.Filter;
import im.zonda.store.MessageArchive.Portion;
import im.zonda.store.MessageLog.Entry;
import im.zonda.store.MessageLog.Keep;
import im.zonda.store.RosterItem;
import im.zonda.store.StoreException;
import im.zonda.store.Stores.HomeStart;
import im.zonda.store.Subscription;
import im.zonda.testkit.database.Eventually;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/// Nodes of a cluster open one database, with and after servers without a cluster.
@ParameterizedClass
@MethodSource("im.zonda.storage.sql.TestDatabase#servers")
@Timeout(120)
class NodesTest {
  private static final Jid ROMEO = Jid.of("romeo@example.net");
  private static final Jid JULIET = Jid.of("juliet@example.net");
  private static final int NODES = 64;

  private final TestDatabase database;
  @TempDir Path folder;
  private final List<SqlStores> opened = new ArrayList<>();

  NodesTest(TestDatabase database) {
    this.database = database;
  }

  private Storage settings() {
    return database.settings(folder, new Storage(true, true, 0, 512, true));
  }

  private SqlStores node(String name) {
    return node(name, Duration.ZERO);
  }

  /// @param ahead by how much the node's clock is ahead
  private SqlStores node(String name, Duration ahead) {
    SqlStores node =
        SqlStores.openNode(
            folder,
            settings(),
            Limits.defaults(),
            () -> InstantSource.system().instant().plus(ahead),
            TestDatabase.process(name));
    opened.add(node);
    return node;
  }

  private SqlStores server() {
    SqlStores server =
        SqlStores.open(folder, settings(), Limits.defaults(), InstantSource.system());
    opened.add(server);
    return server;
  }

  @AfterEach
  void close() {
    opened.forEach(SqlStores::close);
  }

  private static void append(SqlStores node, Jid owner, Jid with, String body) {
    node.messages()
        .append(
            new Entry(
                owner, node.messages().nextId(), with, StoresContract.message(with, owner, body)),
            Keep.ARCHIVE,
            true);
  }

  private static List<String> archive(SqlStores node, Jid owner, Filter filter) {
    return node
        .archive()
        .page(owner, filter, new Portion(false, 10_000, Long.MAX_VALUE))
        .entries()
        .stream()
        .map(StoresContract::body)
        .toList();
  }

  private static Filter words(String text) {
    return new Filter(null, Long.MIN_VALUE, Long.MAX_VALUE, null, text);
  }

  private void assertRefused(Runnable opening, String reason) {
    assertThatThrownBy(opening::run)
        .isInstanceOfSatisfying(
            StoreException.class,
            refusal ->
                assertThat(refusal.category()).isEqualTo(StoreException.Category.UNAVAILABLE))
        .hasMessageContaining(reason);
  }

  @Test
  void aNodeKeepsItsNumber() {
    SqlStores first = node("first");
    SqlStores second = node("second");
    assertThat(first.messages().nextId() % NODES).isZero();
    assertThat(second.messages().nextId() % NODES).isOne();
    first.close();
    second.close();
    assertThat(node("third").messages().nextId() % NODES).isEqualTo(2);
    assertThat(node("second").messages().nextId() % NODES).isOne();
  }

  @Test
  void moreNodesThanThereAreNumbersAreRefused() throws SQLException {
    node("first").close();
    for (int number = 1; number < NODES; number++) {
      database.execute(
          folder,
          "insert into cluster_node (number, name, generation, next, removals) values ("
              + number
              + ", 'other"
              + number
              + "', 0, 0, 0)");
    }
    assertRefused(() -> node("one too many"), "has had 64 nodes");
    node("first");
  }

  @Test
  void aFileIsRefused() {
    assertThatThrownBy(() ->
            SqlStores.openNode(
                folder,
                new Storage(true, true, 0, 512),
                Limits.defaults(),
                InstantSource.system(),
                TestDatabase.process("first")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aServerWithoutAClusterIsRefusedWhileANodeRuns() {
    SqlStores first = node("first");
    node("second");
    first.close();
    assertRefused(this::server, "is used by another server");
  }

  @Test
  void aNodeIsRefusedWhileAServerWithoutAClusterRuns() {
    server();
    assertRefused(() -> node("first"), "is used by another server");
  }

  @Test
  void aSecondProcessOfANodeIsRefused() {
    SqlStores first = node("first");
    assertRefused(() -> node("first"), "is used by another process with the node name first");
    node("second");
    first.accounts().create(List.of(StoresContract.account(ROMEO)));
  }

  /// The archive is read through packed slices, late entries and the end of the log.
  @Test
  void theArchiveStaysCompleteWithAndWithoutACluster() throws SQLException {
    List<String> expected = new ArrayList<>();
    long last = 0;
    for (int round = 0; round < 3; round++) {
      for (boolean isNode : new boolean[] {false, true}) {
        SqlStores stores = isNode ? node("first") : server();
        stores.accounts().create(List.of(StoresContract.account(ROMEO)));
        assertThat(archive(stores, ROMEO, Filter.ALL)).containsExactlyElementsOf(expected);
        assertThat(stores.messages().nextId()).isGreaterThan(last);
        for (int i = 0; i < 400; i++) {
          expected.add("text number" + expected.size());
          append(stores, ROMEO, JULIET, expected.getLast());
        }
        assertThat(archive(stores, ROMEO, words("number" + (expected.size() - 1))))
            .containsExactly(expected.getLast());
        assertThat(archive(stores, ROMEO, words("text"))).hasSize(expected.size());
        stores.messages().delivered(ROMEO, ids(stores));
        assertThat(stores.archive().purge(ROMEO, Long.MAX_VALUE, 0, 150)).isEqualTo(150);
        expected.subList(0, 150).clear();
        assertThat(archive(stores, ROMEO, Filter.ALL)).containsExactlyElementsOf(expected);
        last = stores.messages().nextId();
        stores.close();
        long mark = database.number(folder, "select indexed_to from archive_mark");
        assertThat(mark == Long.MAX_VALUE).isEqualTo(isNode);
      }
    }
  }

  private static List<Long> ids(SqlStores stores) {
    return stores.messages().waiting(ROMEO, 0, 10_000).stream().map(Entry::id).toList();
  }

  @Test
  void anAccountThatIsCreatedAgainElsewhereGetsItsMessages() throws SQLException {
    SqlStores first = node("first");
    SqlStores second = node("second");
    first.accounts().create(List.of(StoresContract.account(ROMEO)));
    append(second, ROMEO, JULIET, "old");
    second.messages().flush();
    first.accounts().remove(ROMEO);
    assertThat(second.accounts().create(List.of(StoresContract.account(ROMEO)))).hasSize(1);
    second.accounts().release(ROMEO);
    first.accounts().create(List.of(StoresContract.account(ROMEO)));
    append(second, ROMEO, JULIET, "new");
    second.messages().flush();
    assertThat(archive(first, ROMEO, Filter.ALL)).containsExactly("new");
    assertThat(database.number(folder, "select count(*) from message where waiting = 1")).isOne();
  }

  @Test
  void aRoomThatIsCreatedAgainElsewhereGetsItsMessages() {
    SqlStores first = node("first");
    SqlStores second = node("second");
    Jid room = Jid.of("verona@rooms.example.net");
    save(second, room);
    append(second, room, JULIET, "old");
    second.messages().flush();
    first.rooms().remove(room);
    save(first, room);
    second.clusterLog().takeOver(room);
    append(second, room, JULIET, "new");
    assertThat(archive(second, room, Filter.ALL)).containsExactly("new");
  }

  @Test
  void theHomeOfAnAccountThatWasARoomWritesToTheAccount() {
    SqlStores first = node("first");
    SqlStores second = node("second");
    Jid verona = Jid.of("verona@rooms.example.net");
    save(second, verona);
    append(second, verona, JULIET, "old");
    second.messages().flush();
    first.rooms().remove(verona);
    assertThat(first.accounts().create(List.of(StoresContract.account(verona)))).isEmpty();
    assertThat(second.openHome(verona, 0)).isNotNull();
    append(second, verona, JULIET, "new");
    assertThat(archive(second, verona, Filter.ALL)).containsExactly("new");
  }

  @Test
  void theIdsOfAHomeAreAboveThoseOfTheFormerOne() {
    SqlStores first = node("first", Duration.ofMinutes(5));
    SqlStores second = node("second");
    first.accounts().create(List.of(StoresContract.account(ROMEO)));
    long before = first.messages().nextId();
    append(first, ROMEO, JULIET, "word");
    first.messages().flush();
    long newest = Objects.requireNonNull(second.openHome(ROMEO, 0)).newest();
    assertThat(newest).isGreaterThan(before);
    assertThat(second.messages().nextId()).isGreaterThan(newest);
    RosterItem item =
        new RosterItem(JULIET, null, Subscription.NONE, false, false, List.of(), null, true);
    long version = first.rosters().put(ROMEO, item);
    assertThat(second.openHome(ROMEO, 0)).isEqualTo(new HomeStart(newest, 1));
    assertThat(second.messages().nextId()).isGreaterThan(version);
    long issued = version + 1_000_000;
    assertThat(second.openHome(ROMEO, issued)).isEqualTo(new HomeStart(issued, 1));
    assertThat(second.messages().nextId()).isGreaterThan(issued);
  }

  private static void save(SqlStores stores, Jid room) {
    stores
        .rooms()
        .save(
            new im.zonda.store.RoomStore.Room(
                room, null, StoresContract.NOON, true, false, "Verona", ""),
            List.of());
  }

  @Test
  void removedAccountsAreErased() throws SQLException {
    SqlStores first = node("first");
    SqlStores second = node("second");
    first.accounts().create(List.of(StoresContract.account(ROMEO)));
    for (int i = 0; i < 700; i++) {
      append(second, ROMEO, JULIET, "word" + i);
    }
    second.messages().flush();
    first.accounts().remove(ROMEO);
    Eventually.await(
        "the account is erased",
        () -> database.number(folder, "select count(*) from removed_owner") == 0);
    for (String table : List.of("message", "archive_chunk", "archive_text")) {
      assertThat(database.number(folder, "select count(*) from " + table)).as(table).isZero();
    }
  }
}
