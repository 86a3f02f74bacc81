package im.zonda.storage.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.metric.HistoryStore;
import im.zonda.metric.HistoryStore.Part;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Contract of the store of what was measured.
public abstract class HistoryStoreContract extends StoresContract {
  private static final int MINUTE = 60;

  private HistoryStore history() {
    return stores.history();
  }

  private void put(String node, int step, long begin, int... data) {
    byte[] bytes = new byte[data.length];
    for (int i = 0; i < data.length; i++) {
      bytes[i] = (byte) data[i];
    }
    history().put(new Part(node, step, begin, bytes));
  }

  private List<Long> begins(String node, int step, long since, long until) {
    return history().read(node, step, since, until).stream().map(Part::begin).toList();
  }

  @Test
  void partsAreReadByNodeStepAndTimeTheOldestFirst() {
    put("", MINUTE, 7_200, 1);
    put("", MINUTE, 3_600, 2);
    put("", MINUTE, 0, 3);
    put("", 900, 3_600, 4);
    put("n1", MINUTE, 3_600, 5);
    assertThat(begins("", MINUTE, 0, Long.MAX_VALUE)).containsExactly(0L, 3_600L, 7_200L);
    assertThat(begins("", MINUTE, 3_600, 7_200)).containsExactly(3_600L);
    assertThat(begins("n1", MINUTE, 0, 9_999)).containsExactly(3_600L);
    assertThat(begins("n2", MINUTE, 0, 9_999)).isEmpty();
    assertThat(history().read("", 900, 0, 9_999).getFirst().data()).containsExactly(4);
  }

  @Test
  void aPartReplacesTheOneWithItsPlace() {
    put("n1", MINUTE, 3_600, 1, 2, 3);
    put("n1", MINUTE, 3_600, 0, -1);
    List<Part> read = history().read("n1", MINUTE, 0, 9_999);
    assertThat(read).hasSize(1);
    assertThat(read.getFirst().data()).containsExactly(0, -1);
  }

  @Test
  void theNodesAreKnown() {
    assertThat(history().nodes()).isEmpty();
    put("n2", MINUTE, 0);
    put("n1", MINUTE, 0);
    put("n1", MINUTE, 3_600);
    put("", MINUTE, 0);
    assertThat(history().nodes()).containsExactly("", "n1", "n2");
  }

  @Test
  void theOldestOfAStepAreErased() {
    put("", MINUTE, 0);
    put("n1", MINUTE, 3_600);
    put("", MINUTE, 7_200);
    put("", 900, 0);
    assertThat(history().erase(MINUTE, 7_200, 1)).isEqualTo(1);
    assertThat(begins("", MINUTE, 0, 9_999)).containsExactly(7_200L);
    assertThat(history().erase(MINUTE, 7_200, 9)).isEqualTo(1);
    assertThat(history().erase(MINUTE, 7_200, 9)).isZero();
    assertThat(begins("", 900, 0, 9_999)).containsExactly(0L);
  }

  @Test
  void aPartHasALimit() {
    byte[] tooMuch = new byte[HistoryStore.MAX_BYTES + 1];
    assertThatThrownBy(() -> new Part("", MINUTE, 0, tooMuch))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
