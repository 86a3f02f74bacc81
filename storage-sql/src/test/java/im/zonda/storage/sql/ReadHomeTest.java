package im.zonda.storage.sql;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.cluster.Locality;
import im.zonda.config.Storage;
import im.zonda.config.limits.Limits;
import im.zonda.jid.Jid;
import im.zonda.stanza.Presence;
import im.zonda.storage.cache.CachedStores;
import im.zonda.storage.contract.StoresContract;
import im.zonda.store.KeyValueStore;
import im.zonda.store.MessageLog;
import im.zonda.store.RosterItem;
import im.zonda.store.RosterStore;
import im.zonda.store.Stores;
import im.zonda.store.Subscription;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// The data that the home of an account reads, and the number of statements, at a server without a
/// cluster and at a node.
@ParameterizedClass
@MethodSource("servers")
class ReadHomeTest {
  private static final Jid ROMEO = Jid.of("romeo@example.net");
  private static final Jid JULIET = Jid.of("juliet@example.net");
  private static final Jid NOBODY = Jid.of("nobody@example.net");
  private static final Set<String> NAMES = Set.of("mam", "blocking");

  private final TestDatabase database;
  private final boolean node;
  @TempDir private Path folder;
  private final AtomicInteger statements = new AtomicInteger();
  private SqlStores stores;

  @SuppressWarnings("NullAway.Init") // opened before each test
  ReadHomeTest(TestDatabase database, boolean node) {
    this.database = database;
    this.node = node;
  }

  static List<Arguments> servers() {
    List<Arguments> servers = new ArrayList<>();
    TestDatabase.all().forEach(each -> servers.add(Arguments.of(each, false)));
    TestDatabase.servers().forEach(each -> servers.add(Arguments.of(each, true)));
    return servers;
  }

  @BeforeEach
  void open() {
    Storage settings = database.settings(folder, new Storage(true, true, 0, 512));
    stores =
        node
            ? TestDatabase.openNode(folder, settings, "first", this::counting)
            : TestDatabase.open(folder, settings, this::counting);
    stores
        .accounts()
        .create(List.of(StoresContract.account(ROMEO), StoresContract.account(JULIET)));
  }

  @AfterEach
  void close() {
    stores.close();
  }

  private Stores.HomeData read(Jid account, Set<String> names) {
    return Objects.requireNonNull(stores.readHome(account, names, 0));
  }

  @Test
  void hasTheRosterTheWantedValuesAndTheNumberThatWaits() {
    RosterItem item =
        new RosterItem(JULIET, "J", Subscription.BOTH, false, true, List.of("G"), null, true);
    Presence request = Presence.of(Presence.Type.SUBSCRIBE, NOBODY, ROMEO, null, List.of());
    RosterItem asks =
        new RosterItem(NOBODY, null, Subscription.NONE, true, false, List.of(), request, false);
    stores.rosters().put(ROMEO, item);
    long version = stores.rosters().put(ROMEO, asks);
    stores.keyValues("mam").put(ROMEO, "a", new byte[] {1});
    stores.keyValues("mam").put(ROMEO, "b", new byte[0]);
    stores.keyValues("private").put(ROMEO, "c", new byte[] {3});
    stores.keyValues("mam").put(JULIET, "d", new byte[] {4});
    append(ROMEO);
    append(ROMEO);
    long last = append(JULIET);
    Stores.HomeData home = read(ROMEO, NAMES);
    assertThat(home.roster().version()).isEqualTo(version);
    assertThat(home.roster().items()).contains(item).hasSize(2);
    assertThat(home.roster()).hasToString(stores.rosters().load(ROMEO).toString());
    assertThat(home.values()).containsOnlyKeys("mam");
    Map<String, byte[]> mam = home.values().getOrDefault("mam", Map.of());
    assertThat(mam).containsOnlyKeys("a", "b");
    assertThat(mam.get("a")).containsExactly(1);
    assertThat(mam.get("b")).isEmpty();
    assertThat(home.start()).isEqualTo(new Stores.HomeStart(node ? last : 0, 2));
    assertThat(read(JULIET, Set.of()).values()).isEmpty();
    assertThat(read(JULIET, Set.of()).roster()).isEqualTo(new RosterStore.Roster(0, List.of()));
    assertThat(read(JULIET, Set.of()).start().waiting()).isEqualTo(1);
    assertThat(stores.readValues(JULIET, NAMES)).containsOnlyKeys("mam");
    assertThat(stores.readValues(JULIET, Set.of())).isEmpty();
  }

  @Test
  void anAddressWithoutAccountHasNone() {
    assertThat(stores.readHome(NOBODY, NAMES, 0)).isNull();
    assertThat(stores.readValues(NOBODY, NAMES)).isEmpty();
  }

  @Test
  void takesOneStatement() {
    stores.messages().flush();
    read(ROMEO, NAMES); // opens the connections
    assertStatements(1, () -> read(ROMEO, NAMES));
    assertStatements(1, () -> stores.readHome(NOBODY, NAMES, 0));
    assertStatements(node ? 1 : 0, () -> stores.clusterLog().takeOver(ROMEO));
    assertStatements(1, () -> stores.accounts().find(ROMEO));
    assertStatements(1, () -> stores.rosters().load(ROMEO));
    assertStatements(1, () -> stores.readValues(ROMEO, NAMES));
  }

  /// Without a cluster accounts and the data of former homes are kept.
  @Test
  void takesOneStatementBehindCaches() {
    Limits limits = Limits.defaults();
    InstantSource clock = InstantSource.system();
    CachedStores cached =
        node
            ? CachedStores.overNode(stores, limits, clock, Locality.LOCAL)
            : CachedStores.over(stores, limits, clock);
    KeyValueStore values = cached.keyValues("mam");
    stores.messages().flush();
    read(JULIET, NAMES); // opens the connections
    assertStatements(node ? 1 : 2, () -> cached.openHome(ROMEO, 0));
    assertStatements(0, () -> values.get(ROMEO, "a"));
    assertStatements(0, () -> cached.rosters().load(ROMEO));
    assertStatements(1, () -> cached.openHome(ROMEO, 0)); // counts messages in any case
    cached.messages().noneWaits(ROMEO);
    assertStatements(node ? 1 : 0, () -> cached.openHome(ROMEO, 0));
    assertStatements(1, () -> cached.openHome(NOBODY, 0));
    assertStatements(node ? 1 : 0, () -> cached.openHome(NOBODY, 0));
  }

  private void assertStatements(int expected, Runnable reads) {
    int before = statements.get();
    reads.run();
    assertThat(statements.get() - before).isEqualTo(expected);
  }

  private long append(Jid owner) {
    long id = stores.messages().nextId();
    stores
        .messages()
        .append(
            new MessageLog.Entry(owner, id, JULIET, StoresContract.message(JULIET, owner, "hello")),
            MessageLog.Keep.ARCHIVE,
            true);
    return id;
  }

  private Connection counting(Connection connection) {
    return (Connection)
        Proxy.newProxyInstance(
            Connection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("prepareStatement")
                  && !isInBackground(String.valueOf(arguments[0]))) {
                statements.incrementAndGet();
              }
              try {
                return method.invoke(connection, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /// Whether it may be executed at any time: by the writer, or to warm the readers up.
  private static boolean isInBackground(String sql) {
    return Thread.currentThread().getName().equals("zonda-store-writer")
        || sql.equals("select id from account where id = ?");
  }
}
