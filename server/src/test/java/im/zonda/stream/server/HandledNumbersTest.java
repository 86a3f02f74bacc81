package im.zonda.stream.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class HandledNumbersTest {
  @Test
  void countsWhatHasNoGap() {
    for (long seed = 0; seed < 50; seed++) {
      check(new Random(seed));
    }
  }

  private static void check(Random random) {
    HandledNumbers handled = new HandledNumbers();
    TreeSet<Long> missing = new TreeSet<>();
    List<Long> batch = new ArrayList<>();
    for (long next = 1; next <= 12_000; next++) {
      missing.add(next);
      batch.add(next);
      if (batch.size() > random.nextInt(1, 200)) {
        Collections.shuffle(batch, random);
        for (int i = random.nextInt(batch.size()); i >= 0; i--) {
          long number = batch.removeLast();
          handled.add(number);
          missing.remove(number);
        }
        long count = missing.isEmpty() ? next : missing.first() - 1;
        assertThat(handled.count()).as("with %s", next).isEqualTo(count);
      }
    }
  }
}
