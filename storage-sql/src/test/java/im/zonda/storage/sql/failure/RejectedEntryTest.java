package im.zonda.storage.sql.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.config.Storage;
import im.zonda.jid.Jid;
import im.zonda.storage.contract.StoresContract;
import im.zonda.storage.sql.InterceptedConnections;
import im.zonda.storage.sql.SqlStores;
import im.zonda.storage.sql.TestDatabase;
import im.zonda.store.MessageLog;
import im.zonda.store.PubSubStore;
import im.zonda.store.StoreException;
import im.zonda.store.StoreState;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.sqlite.SQLiteConnection;
import org.sqlite.SQLiteLimits;

/// What the database will never store is no outage: it fails alone, and what is behind it is
/// stored.
@ParameterizedClass
@MethodSource("im.zonda.storage.sql.TestDatabase#all")
@Timeout(120)
class RejectedEntryTest {
  private static final Jid ROMEO = Jid.of("romeo@example.net");
  private static final Jid JULIET = Jid.of("juliet@example.net");
  private static final String LARGE = "x".repeat(3 << 20);
  private static final String TOO_LARGE = "length(new.stanza) > 1000000";
  private static final String USUAL_PACKET = "set global max_allowed_packet = 16777216";

  private final TestDatabase database;
  private final InterceptedConnections connections = new InterceptedConnections();
  @TempDir Path folder;

  RejectedEntryTest(TestDatabase database) {
    this.database = database;
  }

  private SqlStores open(UnaryOperator<Connection> wrapper) {
    return TestDatabase.open(
        folder, database.emptySettings(folder, new Storage(true, true, 0, 512)), wrapper);
  }

  /// Makes the tables.
  private void create() {
    try (SqlStores stores = open(UnaryOperator.identity())) {
      stores.accounts().create(List.of(StoresContract.account(ROMEO)));
    }
  }

  /// Has the database reject large values as it does itself.
  private Connection limited(Connection connection) {
    if (database == TestDatabase.SQLITE) {
      try {
        connection
            .unwrap(SQLiteConnection.class)
            .setLimit(SQLiteLimits.SQLITE_LIMIT_LENGTH, 2 << 20);
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }
    return connections.apply(connection);
  }

  @AfterEach
  void restoreLimit() throws SQLException {
    if (database == TestDatabase.MARIADB) {
      database.execute(folder, USUAL_PACKET);
    }
  }

  private static CompletableFuture<@Nullable StoreException> append(SqlStores stores, String body) {
    CompletableFuture<@Nullable StoreException> outcome = new CompletableFuture<>();
    StoresContract.append(stores, ROMEO, JULIET, body)
        .whenEnded(
            new MessageLog.Ending() {
              @Override
              public void committed() {
                outcome.complete(null);
              }

              @Override
              public void failed(StoreException cause) {
                outcome.complete(cause);
              }
            });
    return outcome;
  }

  /// The entry in the middle fails, the others are stored.
  private void failsAlone(SqlStores stores) {
    CompletableFuture<@Nullable StoreException> before = append(stores, "before");
    CompletableFuture<@Nullable StoreException> rejected = append(stores, LARGE);
    CompletableFuture<@Nullable StoreException> after = append(stores, "after");
    assertThat(rejected.join())
        .extracting(StoreException::category)
        .isEqualTo(StoreException.Category.REJECTED);
    assertThat(before.join()).isNull();
    assertThat(after.join()).isNull();
    stores.messages().flush();
    assertThat(stores.messages().waiting(ROMEO, 0, 10))
        .extracting(StoresContract::body)
        .containsExactly("before", "after");
    assertThat(stores.messages().state()).isEqualTo(StoreState.STORING);
    assertThat(stores.health().counters().lost()).isEqualTo(1);
  }

  @Test
  void whatIsTooLargeForTheDatabaseFailsAlone() throws SQLException {
    create();
    switch (database) {
      case SQLITE -> {}
      case POSTGRESQL ->
          database.execute(
              folder,
              "alter table message add check (length(stanza) < 2000000)",
              "alter table key_value add check (length(value) < 2000000)");
      case MARIADB -> database.execute(folder, "set global max_allowed_packet = 2097152");
    }
    try (SqlStores stores = open(this::limited)) {
      failsAlone(stores);
      assertThatThrownBy(() -> stores.keyValues("vcard").put(ROMEO, "", new byte[LARGE.length()]))
          .isInstanceOfSatisfying(
              StoreException.class,
              e -> assertThat(e.category()).isEqualTo(StoreException.Category.REJECTED));
      stores.keyValues("vcard").put(ROMEO, "", new byte[10]);
      assertThat(stores.keyValues("vcard").get(ROMEO, "")).hasSize(10);
      assertThat(stores.messages().state()).isEqualTo(StoreState.STORING);
    }
  }

  private static String random(Random random, int length) {
    return random
        .ints(length, 0, 26)
        .mapToObj(each -> Character.toString('a' + each))
        .collect(Collectors.joining());
  }

  /// PostgreSQL has a limit for what an index can have; others index the beginning.
  @Test
  void aSubscriberWhoseAddressIsTooLongForAnIndexIsRejectedAlone() {
    create();
    Random random = new Random(7);
    String domain =
        Stream.generate(() -> random(random, 62)).limit(15).collect(Collectors.joining("."));
    Jid longest = Jid.of(random(random, 1_023) + "@" + domain + "/" + random(random, 1_023));
    PubSubStore.Node node = new PubSubStore.Node(ROMEO, "n", ROMEO, StoresContract.NOON, "");
    try (SqlStores stores = open(connections)) {
      stores.pubSub().save(node, List.of(), List.of());
      ThrowingCallable subscribe =
          () -> stores.pubSub().save(node, List.of(), List.of(subscription("long", longest)));
      if (database == TestDatabase.POSTGRESQL) {
        assertThatThrownBy(subscribe)
            .isInstanceOfSatisfying(
                StoreException.class,
                e -> assertThat(e.category()).isEqualTo(StoreException.Category.REJECTED));
      } else {
        assertThatCode(subscribe).doesNotThrowAnyException();
        assertThat(stores.pubSub().subscriptionsOf(ROMEO, longest.bare(), null, 10)).hasSize(1);
      }
      stores.pubSub().save(node, List.of(), List.of(subscription("usual", JULIET)));
      assertThat(stores.pubSub().subscriptionsOf(ROMEO, JULIET, null, 10)).hasSize(1);
      assertThat(stores.messages().state()).isEqualTo(StoreState.STORING);
    }
  }

  private static PubSubStore.Subscription subscription(String id, Jid subscriber) {
    return new PubSubStore.Subscription(id, subscriber, "subscribed", "");
  }

  @Test
  void whatThrowsFailsAlone() {
    create();
    try (SqlStores stores = open(connections)) {
      connections.before(call -> {
        if (call.equals("executeUpdate")) {
          throw new IllegalStateException("the test's");
        }
      });
      assertThat(append(stores, "thrown").join())
          .extracting(StoreException::category)
          .isEqualTo(StoreException.Category.REJECTED);
      connections.before(call -> {});
      assertThat(append(stores, "after").join()).isNull();
      assertThat(stores.messages().waiting(ROMEO, 0, 10))
          .extracting(StoresContract::body)
          .containsExactly("after");
      assertThat(stores.messages().state()).isEqualTo(StoreState.STORING);
    }
  }

  @Test
  void whatAlwaysFailsForAnUnknownReasonFailsAlone() throws SQLException {
    create();
    switch (database) {
      case SQLITE ->
          database.execute(
              folder,
              "create trigger always before insert on message when "
                  + TOO_LARGE
                  + " begin select abs(-9223372036854775807 - 1); end");
      case POSTGRESQL ->
          database.execute(
              folder,
              "create function fail() returns trigger language plpgsql as"
                  + " 'begin raise exception using errcode = ''XX000''; end'",
              "create trigger always before insert on message for each row when ("
                  + TOO_LARGE
                  + ") execute function fail()");
      case MARIADB ->
          database.execute(
              folder,
              "create trigger always before insert on message for each row if "
                  + TOO_LARGE
                  + " then signal sqlstate '45000'; end if");
    }
    try (SqlStores stores = open(connections)) {
      failsAlone(stores);
    }
  }
}
