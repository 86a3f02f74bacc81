package im.zonda.dns;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.dns.AnswerCache.Question;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.Name;
import org.xbill.DNS.TextParseException;
import org.xbill.DNS.Type;

/// The number of answers is bounded.
class AnswerCacheTest {
  private final AnswerCache cache = new AnswerCache(2);
  private final Answer answer = new Answer.None(false, false);

  private static Question question(String name) throws TextParseException {
    return new Question(Name.fromString(name), Type.A);
  }

  @Test
  void theAnswerThatWasNotUsedForLongestGoes() throws Exception {
    cache.put(question("a."), answer, 60, Instant.EPOCH);
    cache.put(question("b."), answer, 60, Instant.EPOCH);
    assertThat(cache.find(question("A."), Instant.EPOCH)).isEqualTo(answer);
    cache.put(question("c."), answer, 60, Instant.EPOCH);
    assertThat(cache.size()).isEqualTo(2);
    assertThat(cache.find(question("b."), Instant.EPOCH)).isNull();
    assertThat(cache.find(question("a."), Instant.EPOCH)).isEqualTo(answer);
  }

  @Test
  void anAnswerThatIsOverIsRemoved() throws Exception {
    cache.put(question("a."), answer, 60, Instant.EPOCH);
    assertThat(cache.find(question("a."), Instant.EPOCH.plusSeconds(60))).isNull();
    assertThat(cache.size()).isZero();
  }
}
