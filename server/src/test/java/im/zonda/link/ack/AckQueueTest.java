package im.zonda.link.ack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What was sent and is not acknowledged.
final class AckQueueTest {
  private static final class Entry extends AckQueue.Entry<Entry> {
    private final long number;

    private Entry(long number) {
      this.number = number;
    }
  }

  private final AckQueue<Entry> queue = new AckQueue<>(10);

  private void add(int entries) {
    for (int i = 0; i < entries; i++) {
      queue.add(new Entry(queue.sent() + 1));
    }
  }

  private static List<Long> numbers(Iterable<Entry> entries) {
    List<Long> numbers = new ArrayList<>();
    entries.forEach(each -> numbers.add(each.number));
    return numbers;
  }

  private List<Long> pollUpTo(long number) {
    List<Entry> polled = new ArrayList<>();
    for (Entry each = queue.poll(number); each != null; each = queue.poll(number)) {
      polled.add(each);
    }
    return numbers(polled);
  }

  @Test
  void allUpToANumberAreRemovedInOrder() {
    add(5);
    assertThat(pollUpTo(13)).containsExactly(11L, 12L, 13L);
    assertThat(queue.acknowledged()).isEqualTo(13);
    assertThat(queue.sent()).isEqualTo(15);
    assertThat(queue.size()).isEqualTo(2);
    assertThat(numbers(queue)).containsExactly(14L, 15L);
  }

  @Test
  void aNumberThatIsAcknowledgedRemovesNothing() {
    add(2);
    assertThat(pollUpTo(11)).containsExactly(11L);
    assertThat(pollUpTo(11)).isEmpty();
    assertThat(pollUpTo(3)).isEmpty();
    assertThat(queue.acknowledged()).isEqualTo(11);
  }

  @Test
  void aNumberAboveWhatWasSentAcknowledgesNoMoreThanThat() {
    add(2);
    assertThat(pollUpTo(99)).containsExactly(11L, 12L);
    assertThat(queue.acknowledged()).isEqualTo(12);
    assertThat(queue.poll()).isNull();
    assertThat(queue.sent()).isEqualTo(12);
  }

  @Test
  void theNumbersGoOnAfterAnEmptyQueue() {
    add(1);
    pollUpTo(11);
    assertThat(queue.oldest()).isNull();
    add(2);
    assertThat(queue.sent()).isEqualTo(13);
    assertThat(numbers(queue.list())).containsExactly(12L, 13L);
    assertThat(Objects.requireNonNull(queue.oldest()).number).isEqualTo(12);
  }

  @Test
  void drainedEntriesWereNeverSent() {
    add(4);
    pollUpTo(11);
    assertThat(numbers(queue.drain())).containsExactly(12L, 13L, 14L);
    assertThat(queue.acknowledged()).isEqualTo(11);
    assertThat(queue.sent()).isEqualTo(11);
    add(1);
    assertThat(numbers(queue)).containsExactly(12L);
  }

  /// Otherwise one entry that is kept elsewhere would keep all later ones.
  @Test
  void aRemovedEntryDoesNotReferToTheNext() {
    add(2);
    assertThat(Objects.requireNonNull(queue.poll()).next).isNull();
  }

  @Test
  void theIteratorEnds() {
    add(1);
    Iterator<Entry> all = queue.iterator();
    assertThat(all.next().number).isEqualTo(11);
    assertThat(all.hasNext()).isFalse();
    assertThatThrownBy(all::next).isInstanceOf(NoSuchElementException.class);
  }

  /// As a simple model says.
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void entriesComeAndGo(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Deque<Long> model = new ArrayDeque<>();
    for (int i = 0; i < 10_000; i++) {
      if (random.nextBoolean()) {
        add(1);
        model.add(queue.sent());
      } else {
        Entry polled = queue.poll();
        Long expected = model.poll();
        assertThat(polled == null ? null : polled.number).as("seed %d", seed).isEqualTo(expected);
      }
      assertThat(queue.size()).isEqualTo(model.size());
    }
    assertThat(numbers(queue)).containsExactlyElementsOf(model);
  }
}
