package im.zonda.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class AppendedOriginsTest {
  @Test
  void knowsEachOriginAndWhetherItsEntryIsTheSendersCopy() {
    Random random = new Random(15);
    Map<Long, Boolean> expected = new HashMap<>();
    expected.put(1L, true);
    expected.put(Long.MAX_VALUE, true);
    expected.put(Long.MAX_VALUE - 1, false);
    for (int i = 0; i < 5_000; i++) {
      expected.put(1 + random.nextLong(Long.MAX_VALUE), random.nextBoolean());
    }
    AppendedOrigins.Builder builder = new AppendedOrigins.Builder();
    expected.forEach(builder::add);
    AppendedOrigins appended = builder.build();
    assertThat(appended.size()).isEqualTo(expected.size());
    expected.forEach((origin, isSentCopy) -> {
      assertThat(appended.contains(origin)).isTrue();
      assertThat(appended.containsSentCopy(origin)).isEqualTo(isSentCopy);
      boolean next = expected.containsKey(origin + 1);
      assertThat(appended.contains(origin + 1)).isEqualTo(next);
    });
  }

  @Test
  void anOriginMayHaveSeveralEntries() {
    AppendedOrigins.Builder builder = new AppendedOrigins.Builder();
    builder.add(7, false);
    builder.add(7, true);
    builder.add(7, false);
    AppendedOrigins appended = builder.build();
    assertThat(appended.contains(7)).isTrue();
    assertThat(appended.containsSentCopy(7)).isTrue();
  }

  @Test
  void anEntryWithoutOriginIsNotFound() {
    AppendedOrigins.Builder builder = new AppendedOrigins.Builder();
    builder.add(0, false);
    builder.add(0, true);
    AppendedOrigins appended = builder.build();
    assertThat(appended.size()).isZero();
    assertThat(appended.contains(0)).isFalse();
    assertThat(appended.containsSentCopy(0)).isFalse();
    assertThat(AppendedOrigins.NONE.contains(1)).isFalse();
  }
}
