package im.zonda.module.pubsub.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SubscriptionOptionsTest {
  private static final Instant END = Instant.parse("2006-02-28T23:59:59Z");

  @Test
  void readsWhatItWrote() {
    for (boolean deliver : new boolean[] {true, false}) {
      for (@Nullable Instant end : new @Nullable Instant[] {null, END}) {
        SubscriptionOptions options = new SubscriptionOptions(deliver, end);
        assertThat(SubscriptionOptions.of(options.text())).isEqualTo(options);
      }
    }
    assertThat(SubscriptionOptions.DEFAULT.text()).isEmpty();
    assertThat(SubscriptionOptions.of("deliver=0")).isEqualTo(new SubscriptionOptions(false, null));
    assertThat(SubscriptionOptions.of("new=1\nexpire=1"))
        .isEqualTo(new SubscriptionOptions(true, Instant.ofEpochSecond(1)));
  }

  @Test
  void endsAtItsTime() {
    SubscriptionOptions leased = new SubscriptionOptions(true, END);
    assertThat(leased.hasEnded(END.minusMillis(1))).isFalse();
    assertThat(leased.hasEnded(END)).isTrue();
    assertThat(SubscriptionOptions.DEFAULT.hasEnded(Instant.MAX)).isFalse();
  }

  /// The forms of XEP-0082.
  @ParameterizedTest
  @CsvSource({
    "2006-02-28T23:59:59Z, true",
    "2006-02-28T23:59:59.999Z, true",
    "2006-03-01T00:59:59+01:00, true",
    "2006-02-28, false",
    "tomorrow, false",
    "2006-02-30T23:59:59Z, false"
  })
  void readsTimes(String text, boolean valid) {
    assertThat(SubscriptionOptions.time(text)).isEqualTo(valid ? END : null);
  }
}
