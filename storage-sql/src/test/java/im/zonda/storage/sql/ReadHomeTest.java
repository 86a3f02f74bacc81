package im.zonda.storage.sql;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.Storage;
import im.zonda.config.limits.Limits;
import im.zonda.jid.Jid;
import im.zonda.storage.contract.StoresContract;
import im.zonda.store.MessageLog;
import im.zonda.store.RosterItem;
import im.zonda.store.Stores;
import im.zonda.store.Subscription;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/// What the home of an account reads, and in how many statements.
@ParameterizedClass
@MethodSource("im.zonda.storage.sql.TestDatabase#all")
class ReadHomeTest {
  private static final Jid ROMEO = Jid.of("romeo@example.net");
  private static final Jid JULIET = Jid.of("juliet@example.net");
  private static final Set<String> NAMES = Set.of("mam", "blocking");

  private final TestDatabase database;
  @TempDir private Path folder;
  private final AtomicInteger statements = new AtomicInteger();
  private SqlStores stores;

  @SuppressWarnings("NullAway.Init") // opened before each test
  ReadHomeTest(TestDatabase database) {
    this.database = database;
  }

  @BeforeEach
  void open() {
    stores =
        SqlStores.open(
            folder,
            database.settings(folder, new Storage(true, true, 0, 512)),
            Limits.defaults(),
            InstantSource.system(),
            this::counting);
    stores
        .accounts()
        .create(List.of(StoresContract.account(ROMEO), StoresContract.account(JULIET)));
  }

  @AfterEach
  void close() {
    stores.close();
  }

  @Test
  void hasTheRosterTheWantedValuesAndTheNumberThatWaits() {
    RosterItem item =
        new RosterItem(JULIET, "J", Subscription.BOTH, false, false, List.of("G"), null, true);
    long version = stores.rosters().put(ROMEO, item);
    stores.keyValues("mam").put(ROMEO, "a", new byte[] {1});
    stores.keyValues("mam").put(ROMEO, "b", new byte[0]);
    stores.keyValues("private").put(ROMEO, "c", new byte[] {3});
    stores.keyValues("mam").put(JULIET, "d", new byte[] {4});
    append(ROMEO);
    append(ROMEO);
    append(JULIET);
    Stores.HomeData home = stores.readHome(ROMEO, NAMES);
    assertThat(home.roster().version()).isEqualTo(version);
    assertThat(home.roster().items()).containsExactly(item);
    assertThat(home.values()).containsOnlyKeys("mam");
    Map<String, byte[]> mam = home.values().getOrDefault("mam", Map.of());
    assertThat(mam).containsOnlyKeys("a", "b");
    assertThat(mam.get("a")).containsExactly(1);
    assertThat(mam.get("b")).isEmpty();
    assertThat(home.waiting()).isEqualTo(2);
    assertThat(stores.readHome(JULIET, Set.of()).values()).isEmpty();
    assertThat(stores.readHome(JULIET, Set.of()).waiting()).isEqualTo(1);
    assertThat(stores.readValues(JULIET, NAMES)).containsOnlyKeys("mam");
  }

  @Test
  void anAddressWithoutAccountHasNothing() {
    Stores.HomeData home = stores.readHome(Jid.of("nobody@example.net"), NAMES);
    assertThat(home.roster().items()).isEmpty();
    assertThat(home.values()).isEmpty();
    assertThat(home.waiting()).isZero();
  }

  @Test
  void takesTwoStatementsAndAnAccountOne() {
    stores.messages().flush();
    stores.readHome(ROMEO, NAMES); // opens the connections
    int before = statements.get();
    stores.readHome(ROMEO, NAMES);
    assertThat(statements.get() - before).isEqualTo(2);
    stores.accounts().find(ROMEO);
    assertThat(statements.get() - before).isEqualTo(3);
    stores.rosters().load(ROMEO);
    assertThat(statements.get() - before).isEqualTo(4);
    stores.readValues(ROMEO, NAMES);
    assertThat(statements.get() - before).isEqualTo(5);
  }

  private void append(Jid owner) {
    stores
        .messages()
        .append(
            new MessageLog.Entry(
                owner,
                stores.messages().nextId(),
                JULIET,
                StoresContract.message(JULIET, owner, "hello")),
            MessageLog.Keep.ARCHIVE,
            true);
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
