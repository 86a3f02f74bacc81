package im.zonda.app.size;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.size.SizeOperations.Found;
import im.zonda.app.size.SizeOperations.Host;
import im.zonda.app.size.SizeOperations.Wanted;
import im.zonda.size.SizeStore;
import im.zonda.size.SizeStore.Measured;
import im.zonda.size.SizeStore.Size;
import im.zonda.storage.memory.MemoryData;
import im.zonda.storage.memory.MemoryStores;
import im.zonda.testkit.FakeClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// The sizes of hosts are measured once an hour, and shown as they were.
class HostSizesTest {
  private final FakeClock clock = new FakeClock();
  private final MemoryStores stores = new MemoryStores(new MemoryData(), clock);
  private List<Size> present =
      List.of(
          new Size("a.example", 10, 1_000, 3, 0, 2, 50),
          new Size("gone.example", 1, 2, 3, 4, 5, 6),
          new Size("rooms.a.example", 5, 500, 0, 4, 0, 0));
  private int measured;
  private boolean here = true;

  private final SizeStore store =
      (rows, random) -> {
        assertThat(rows).isEqualTo(HostSizes.ROWS);
        assertThat(random).isNotNull();
        measured++;
        return new Measured(present, true);
      };

  private HostSizes sizes() {
    return new HostSizes(
        new HostSizes.Stored(store, stores.keyValues(HostSizes.STORE)),
        domain -> domain.equals("rooms.a.example") ? "a.example" : domain,
        () -> here,
        clock,
        new Random(1));
  }

  private Found found(@Nullable String after, int limit) {
    return SizeOperations.found(sizes().known(), new Wanted(after, limit));
  }

  @Test
  void nothingIsKnownAtFirst() {
    assertThat(found(null, 10)).isEqualTo(new Found(null, false, List.of(), null));
    here = false;
    sizes().run();
    assertThat(measured).isZero();
    assertThat(sizes().known()).isNull();
  }

  @Test
  void theServicesOfAHostBelongToIt() {
    sizes().run();
    Found found = found(null, 10);
    assertThat(found.measured()).isEqualTo(clock.instant());
    assertThat(found.estimated()).isTrue();
    assertThat(found.hosts())
        .containsExactly(
            new Host("a.example", 15, 1_500, 3, 4, 2, 50),
            new Host("gone.example", 1, 2, 3, 4, 5, 6));
    assertThat(found.next()).isNull();
  }

  @Test
  void theyAreMeasuredOnceAnHourAlsoOverARestart() {
    sizes().run();
    clock.advance(Duration.ofMinutes(59));
    sizes().run();
    assertThat(measured).isEqualTo(1);
    clock.advance(Duration.ofMinutes(1));
    sizes().run();
    assertThat(measured).isEqualTo(2);
    assertThat(Objects.requireNonNull(sizes().known()).time()).isEqualTo(clock.instant());
  }

  @Test
  void thereArePagesOfTheLargest() {
    List<Size> many = new ArrayList<>();
    IntStream.range(0, HostSizes.MOST + 5)
        .forEach(i -> many.add(new Size("h%04d.example".formatted(i), 1, i, 0, 0, 0, 0)));
    present = many;
    sizes().run();
    Found first = found(null, 1_000);
    assertThat(first.hosts().getFirst().host()).isEqualTo("h0005.example");
    assertThat(first.next()).isEqualTo("h1004.example");
    Found second = found(first.next(), 1_000);
    assertThat(second.hosts()).hasSize(1_000);
    assertThat(second.next()).isNull();
  }
}
