package im.zonda.bench.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/// The search for the greatest load.
class KneeSearchTest {
  /// The loads that are tried at a server that carries `most`.
  private static List<Long> tried(KneeSearch search, long most) {
    List<Long> loads = new ArrayList<>();
    for (OptionalLong next = search.next(); next.isPresent(); next = search.next()) {
      loads.add(next.getAsLong());
      search.tried(next.getAsLong(), next.getAsLong() <= most);
    }
    return loads;
  }

  @Test
  void theLoadIsDoubledAndThenTheDistanceHalved() {
    KneeSearch search = new KneeSearch(100, 10_000, 10);
    assertThat(tried(search, 700)).containsExactly(100L, 200L, 400L, 800L, 600L, 700L, 750L);
    assertThat(search.held()).isEqualTo(700);
    assertThat(search.failed()).hasValue(750);
  }

  @Test
  void aFirstLoadThatFailsIsHalved() {
    KneeSearch search = new KneeSearch(100, 100, 1);
    assertThat(tried(search, 30)).startsWith(100L, 50L, 25L, 37L).endsWith(29L, 30L);
    assertThat(search.held()).isEqualTo(30);
  }

  @Test
  void theGreatestLoadEndsTheSearch() {
    KneeSearch search = new KneeSearch(100, 250, 10);
    assertThat(tried(search, 1_000)).containsExactly(100L, 200L, 250L);
    assertThat(search.failed()).isEmpty();
  }

  @Test
  void aServerThatCarriesNothingEndsTheSearch() {
    KneeSearch search = new KneeSearch(4, 10, 10);
    assertThat(tried(search, 0)).containsExactly(4L, 2L, 1L);
    assertThat(search.held()).isZero();
  }

  @Test
  void aSearchWithoutARangeIsRejected() {
    assertThatThrownBy(() -> new KneeSearch(0, 10, 10))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new KneeSearch(20, 10, 10))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
