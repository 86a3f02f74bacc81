package im.zonda.module.muc.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.jid.Jid;
import im.zonda.module.testing.TestContext;
import im.zonda.store.RoomStore;
import im.zonda.store.StoreException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RoomCountsTest {
  private static final String DOMAIN = "rooms.example.org";
  private static final Jid CRONE = Jid.of("crone@example.org");
  private static final Jid HAG = Jid.of("hag@example.org");
  private static final int MAX = 100;

  private final RoomStore store = new TestContext().stores().rooms();
  private final RoomCounts counts = new RoomCounts(store, DOMAIN, () -> MAX);
  private final AtomicInteger names = new AtomicInteger();

  private RoomCounts.Slot taken() {
    return Objects.requireNonNull(counts.tryReserve(CRONE, false));
  }

  private Jid save() {
    Jid jid = Jid.of("r" + names.incrementAndGet() + "@" + DOMAIN);
    store.save(new RoomStore.Room(jid, CRONE, Instant.EPOCH, true, true, "", ""), List.of());
    return jid;
  }

  @Test
  void unstoredRoomsCount() {
    List<RoomCounts.Slot> slots = new ArrayList<>();
    for (int i = 0; i < MAX; i++) {
      slots.add(taken());
      if (i % 2 == 0) {
        slots.removeLast().store(this::save);
      }
    }
    assertThat(counts.tryReserve(CRONE, false)).isNull();
    assertThat(counts.tryReserve(HAG, false)).isNotNull();
    slots.removeLast().release();
    assertThat(counts.tryReserve(CRONE, false)).isNotNull();
    assertThat(counts.tryReserve(CRONE, false)).isNull();
    assertThat(counts.tryReserve(CRONE, true)).as("an admin").isNotNull();
  }

  @Test
  void aRemovedRoomFreesItsPlace() {
    List<Jid> rooms = new ArrayList<>();
    for (int i = 0; i < MAX; i++) {
      taken().store(() -> rooms.add(save()));
    }
    assertThat(counts.tryReserve(CRONE, false)).isNull();
    store.remove(rooms.getFirst());
    assertThat(counts.tryReserve(CRONE, false)).isNotNull();
  }

  @Test
  void aRoomThatCannotBeStoredCountsAsBefore() {
    RoomCounts.Slot slot = taken();
    assertThatThrownBy(() ->
            slot.store(() -> {
              throw new StoreException(StoreException.Category.FULL, "the test wants it so", null);
            }))
        .isInstanceOf(StoreException.class);
    assertThat(counts.size()).isEqualTo(1);
    slot.store(this::save);
    assertThat(counts.size()).isZero();
    assertThat(store.created(DOMAIN, CRONE)).isEqualTo(1);
  }

  @Test
  void accountsWithoutRoomsAreForgotten() {
    taken().release();
    assertThat(counts.size()).isZero();
    new RoomCounts(store, DOMAIN, () -> 0).tryReserve(CRONE, false);
    assertThat(counts.size()).isZero();
  }

  @Test
  void manyAtATimeMakeExactlyAsManyAsOneMay() throws InterruptedException, ExecutionException {
    AtomicInteger made = new AtomicInteger();
    Callable<Boolean> maker =
        () -> {
          RoomCounts.Slot slot = counts.tryReserve(CRONE, false);
          if (slot != null) {
            made.incrementAndGet();
            slot.store(this::save);
          }
          return slot != null;
        };
    try (ExecutorService threads = Executors.newFixedThreadPool(16)) {
      for (Future<Boolean> each : threads.invokeAll(Collections.nCopies(500, maker))) {
        each.get();
      }
    }
    assertThat(made).hasValue(MAX);
    assertThat(store.created(DOMAIN, CRONE)).isEqualTo(MAX);
    assertThat(counts.size()).isZero();
  }
}
