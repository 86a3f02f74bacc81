package im.zonda.storage.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.config.Storage;
import im.zonda.config.limits.Limits;
import im.zonda.jid.Jid;
import im.zonda.storage.contract.StoresContract;
import im.zonda.store.RoomStore.Affiliation;
import im.zonda.store.RoomStore.Room;
import im.zonda.store.RoomStore.Stored;
import im.zonda.store.StoreException;
import im.zonda.testkit.database.Eventually;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// A change of a room that fails midway is rolled back and reported to its caller.
@ParameterizedClass
@MethodSource("im.zonda.storage.sql.TestDatabase#all")
@Timeout(60)
class RoomFaultTest {
  private static final Jid GARDEN = Jid.of("garden@rooms.example.net");
  private static final Jid TOMB = Jid.of("tomb@rooms.example.net");
  private static final Affiliation OWNER =
      new Affiliation(Jid.of("juliet@example.net"), "owner", null, null);
  private static final Affiliation MEMBER =
      new Affiliation(Jid.of("romeo@example.net"), "member", null, null);
  private static final Affiliation NOBODY = new Affiliation(OWNER.user(), "none", null, null);

  private final TestDatabase database;
  @TempDir Path folder;
  private final InterceptedConnections connections = new InterceptedConnections();
  private final AtomicInteger calls = new AtomicInteger();

  RoomFaultTest(TestDatabase database) {
    this.database = database;
  }

  private static Room room(Jid jid, String name) {
    return new Room(jid, null, StoresContract.NOON, true, true, name, name);
  }

  private SqlStores open() {
    return SqlStores.open(
        folder,
        database.settings(folder, new Storage(true, true, 0, 512)),
        Limits.defaults(),
        InstantSource.system(),
        connections);
  }

  /// Makes the call to the database with that number fail, counted from now.
  private void fail(int which, TestDatabase.Fault fault) {
    calls.set(0);
    connections.before(call -> {
      if (calls.incrementAndGet() == which) {
        throw database.failure(fault, "the test's, at call " + which + ", " + call);
      }
    });
  }

  @ParameterizedTest
  @EnumSource(names = {"FULL", "WRITE", "CONSTRAINT"})
  void aChangeIsMadeAsAWholeOrNotAtAll(TestDatabase.Fault fault) {
    Stored before = new Stored(room(GARDEN, "before"), List.of(OWNER));
    Stored after = new Stored(room(GARDEN, "after"), List.of(MEMBER));
    int failures = 0;
    try (SqlStores stores = open()) {
      for (int which = 1; ; which++) {
        stores.rooms().save(before.room(), List.of(OWNER, none(MEMBER)));
        stores.rooms().remove(TOMB);
        stores.messages().flush();
        fail(which, fault);
        boolean saved = attempt(() -> stores.rooms().save(after.room(), List.of(MEMBER, NOBODY)));
        boolean over = calls.get() < which;
        repair(stores);
        assertThat(stores.rooms().find(GARDEN)).isEqualTo(saved ? after : before);

        fail(which, fault);
        boolean made = attempt(() -> stores.rooms().save(room(TOMB, "new"), List.of(OWNER)));
        repair(stores);
        assertThat(stores.rooms().find(TOMB))
            .isEqualTo(made ? new Stored(room(TOMB, "new"), List.of(OWNER)) : null);
        failures += (saved ? 0 : 1) + (made ? 0 : 1);
        if (over) {
          break;
        }
      }
    }
    assertThat(failures).isGreaterThan(8);
  }

  /// Ends the fault. What is asked while the writer still knows the database to be down fails too.
  private void repair(SqlStores stores) {
    connections.before(call -> {});
    Eventually.await("it stores again", () -> stores.messages().state().ok());
  }

  private static Affiliation none(Affiliation affiliation) {
    return new Affiliation(affiliation.user(), "none", null, null);
  }

  private static boolean attempt(Runnable change) {
    try {
      change.run();
      return true;
    } catch (StoreException e) {
      return false;
    }
  }

  @Test
  void aRoomWhoseRemovalFailedIsComplete() {
    try (SqlStores stores = open()) {
      stores.rooms().save(room(GARDEN, "kept"), List.of(OWNER));
      stores.keyValues("room").put(GARDEN, "subject", new byte[] {1});
      connections.before(call -> {
        if (call.equals("commit")) {
          throw database.failure(TestDatabase.Fault.FULL, "the test's");
        }
      });
      assertThatThrownBy(() -> stores.rooms().remove(GARDEN))
          .isInstanceOfSatisfying(
              StoreException.class,
              e -> assertThat(e.category()).isEqualTo(StoreException.Category.FULL));
      repair(stores);
      assertThat(stores.rooms().find(GARDEN))
          .isEqualTo(new Stored(room(GARDEN, "kept"), List.of(OWNER)));
      assertThat(stores.keyValues("room").get(GARDEN, "subject")).containsExactly(1);
      assertThat(stores.rooms().remove(GARDEN)).isTrue();
    }
  }
}
