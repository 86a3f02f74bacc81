package im.zonda.storage.sql.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import im.zonda.config.Storage;
import im.zonda.config.limits.Limits;
import im.zonda.jid.Jid;
import im.zonda.storage.contract.StoresContract;
import im.zonda.storage.sql.SqlStores;
import im.zonda.store.MessageLog;
import im.zonda.store.MessageLog.Keep;
import im.zonda.store.StoreException;
import im.zonda.store.StoreState;
import im.zonda.testkit.database.Eventually;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A full disk: a small file system that is filled to the last byte. Skipped where mounting is not
/// allowed.
@Timeout(120)
class FullDiskTest {
  private static final Jid ROMEO = Jid.of("romeo@example.net");
  private static final Jid JULIET = Jid.of("juliet@example.net");
  private static final String TEXT = "y".repeat(5_000);
  private static final int TOTAL = 1_400;

  @TempDir Path parent;
  private @Nullable SmallDisk mounted;

  @BeforeEach
  void mount() throws IOException {
    mounted = SmallDisk.mount(parent, 32);
  }

  @AfterEach
  void unmount() {
    if (mounted != null) {
      mounted.close();
    }
  }

  private SmallDisk disk() {
    return Objects.requireNonNull(mounted);
  }

  private SqlStores open() {
    return SqlStores.open(
        disk().folder(), new Storage(true, true, 1, 64), Limits.defaults(), InstantSource.system());
  }

  @Test
  void onlyStoredEntriesAreAcknowledgedAndItRecoversWhenSpaceReturns() throws Exception {
    List<Integer> committed = Collections.synchronizedList(new ArrayList<>());
    CountDownLatch all = new CountDownLatch(TOTAL);
    try (SqlStores stores = open()) {
      stores.accounts().create(List.of(StoresContract.account(ROMEO)));
      disk().fill(5_000_000);
      for (int i = 0; i < TOTAL; i++) {
        int number = i;
        append(stores, number)
            .whenCommitted(() -> {
              committed.add(number);
              all.countDown();
            });
      }
      StoreException full =
          catchThrowableOfType(StoreException.class, () -> stores.messages().flush());
      assertThat(full.category()).as(full.getMessage()).isEqualTo(StoreException.Category.FULL);
      StoreState state = stores.messages().state();
      assertThat(state.kind()).isEqualTo(StoreState.Kind.FAILING);
      assertThat(state.cause()).isEqualTo(StoreException.Category.FULL);
      assertThat(state.acceptsForLater()).isFalse();
      assertThat(stores.messages().congested()).isFalse();
      assertThat(committed).isNotEmpty().hasSizeLessThan(TOTAL);
      assertThat(stores.messages().waitingCount(ROMEO)).isEqualTo(TOTAL);

      disk().clear();
      assertThat(all.await(20, TimeUnit.SECONDS)).isTrue();
      stores.messages().flush();
      assertThat(stores.messages().state()).isEqualTo(StoreState.STORING);
    }
    try (SqlStores stores = open()) {
      assertThat(stores.messages().waiting(ROMEO, 0, TOTAL + 1))
          .hasSize(TOTAL)
          .first()
          .satisfies(entry -> assertThat(StoresContract.body(entry)).isEqualTo("0" + TEXT));
    }
  }

  @Test
  void itRecoversWithoutWrites() throws Exception {
    try (SqlStores stores = open()) {
      stores.accounts().create(List.of(StoresContract.account(ROMEO)));
      disk().fill(0);
      StoreException full =
          catchThrowableOfType(
              StoreException.class,
              () -> stores.keyValues("vcard").put(ROMEO, "a", new byte[900_000]));
      assertThat(full.category()).isEqualTo(StoreException.Category.FULL);
      assertThat(stores.messages().state().acceptsForLater()).isFalse();
      disk().clear();
      Eventually.await("it stores again", () -> stores.messages().state().ok());
      stores.keyValues("vcard").put(ROMEO, "a", new byte[900_000]);
    }
  }

  @Test
  void aKillWhileTheDiskIsFullLosesNothingAcknowledged() throws Exception {
    open().close();
    disk().fill(1_000_000);
    KilledWriter writer = new KilledWriter(disk().folder());
    for (int round = 0; round < 3; round++) {
      writer.run(round, "full"::equals);
      assertThat(writer.promises()).isPositive();
      disk().clear();
      writer.check();
      disk().fill(500_000);
    }
  }

  private static MessageLog.Receipt append(SqlStores stores, int number) {
    return stores
        .messages()
        .append(
            new MessageLog.Entry(
                ROMEO,
                stores.messages().nextId(),
                JULIET,
                StoresContract.message(JULIET, ROMEO, number + TEXT)),
            Keep.ARCHIVE,
            true);
  }
}
