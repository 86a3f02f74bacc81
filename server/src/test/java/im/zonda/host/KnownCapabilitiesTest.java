package im.zonda.host;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.session.CapabilityCache;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KnownCapabilitiesTest {
  private static final Jid ROMEO = Jid.of("romeo@example.org");

  private final KnownCapabilities known = new KnownCapabilities();

  private static CapabilityCache.Key key(String hash) {
    return new CapabilityCache.Key("sha-1", hash);
  }

  @Test
  void keepsWhatWasAdded() {
    known.add(key("a"), Set.of("x"), ROMEO);
    known.add(key("a"), Set.of("y"), ROMEO);
    assertThat(known.find(key("a"))).containsExactly("x");
    assertThat(known.find(key("b"))).isNull();
    assertThat(known.find(new CapabilityCache.Key("sha-256", "a"))).isNull();
  }

  @Test
  void oneUserDisplacesOnlyWhatTheSameUserHasAdded() {
    known.add(key("popular"), Set.of("x"), Jid.of("juliet@example.org"));
    for (int i = 0; i < 1_000; i++) {
      known.add(key("h" + i), Set.of("f" + i), ROMEO);
    }
    assertThat(known.find(key("popular"))).containsExactly("x");
    assertThat(known.find(key("h0"))).isNull();
    for (int i = 1_000 - KnownCapabilities.OF_USER; i < 1_000; i++) {
      assertThat(known.find(key("h" + i))).containsExactly("f" + i);
    }
  }

  @Test
  void allTogetherAreBound() {
    String large = "x".repeat(KnownCapabilities.MAX_SIZE / 2);
    for (int i = 0; i < 1_000; i++) {
      known.add(key("h" + i), Set.of(large), Jid.of("user" + i + "@example.org"));
      assertThat(known.find(key("h0"))).isNotNull(); // used, so it stays
      assertThat(known.size()).isLessThanOrEqualTo(KnownCapabilities.MAX_TOTAL);
    }
    assertThat(known.find(key("h1"))).isNull();
    known.add(key("huge"), Set.of("x".repeat(KnownCapabilities.MAX_SIZE)), ROMEO);
    assertThat(known.find(key("huge"))).isNull();
  }
}
