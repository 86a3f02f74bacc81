package im.zonda.module.pubsub.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SubscriptionOptionsTest {
  private static final Instant END = Instant.parse("2006-02-28T23:59:59Z");

  @Test
  void readsWhatItWrote() {
    for (boolean deliver : new boolean[] {true, false}) {
      for (SubscriptionOptions.Type type : SubscriptionOptions.Type.values()) {
        for (int depth : new int[] {0, 1, 7, SubscriptionOptions.ALL}) {
          SubscriptionOptions options =
              SubscriptionOptions.DEFAULT.withDeliver(deliver).withType(type).withDepth(depth);
          for (SubscriptionOptions each :
              List.of(
                  options,
                  options.withExpire(END),
                  options.untilOffline(),
                  options.withPublic(true),
                  options.withPublic(true).withExpire(END))) {
            assertThat(SubscriptionOptions.of(each.text())).isEqualTo(each);
          }
        }
      }
    }
    assertThat(SubscriptionOptions.DEFAULT.text()).isEmpty();
    assertThat(SubscriptionOptions.of("deliver=0"))
        .isEqualTo(SubscriptionOptions.DEFAULT.withDeliver(false));
    assertThat(SubscriptionOptions.of("new=1\nexpire=1"))
        .isEqualTo(SubscriptionOptions.DEFAULT.withExpire(Instant.ofEpochSecond(1)));
  }

  @Test
  void endsAtItsTime() {
    SubscriptionOptions leased = SubscriptionOptions.DEFAULT.withExpire(END);
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

  /// A stored value that is not valid costs itself alone.
  @Test
  void whatIsNotValidIsIgnored() {
    assertThat(
            SubscriptionOptions.of(
                "expire=soon\nexpire=9223372036854775807\ndepth=deep\ndeliver=0\ntype=x"))
        .isEqualTo(SubscriptionOptions.DEFAULT.withDeliver(false));
  }
}
