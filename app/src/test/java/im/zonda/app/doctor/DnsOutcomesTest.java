package im.zonda.app.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.storage.memory.MemoryStores;
import im.zonda.store.KeyValueStore;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

class DnsOutcomesTest {
  private final KeyValueStore store =
      new MemoryStores(InstantSource.system()).keyValues(DnsOutcomes.STORE);
  private final DnsOutcomes outcomes = new DnsOutcomes(store);

  @Test
  void theLastOutcomeOfEachHostIsKept() {
    assertThat(outcomes.find("a.example")).isNull();
    outcomes.note("a.example", new DnsOutcomes.Last(Instant.EPOCH, 3, false));
    DnsOutcomes.Last later = new DnsOutcomes.Last(Instant.EPOCH.plusSeconds(9), 0, true);
    outcomes.note("a.example", later);
    assertThat(outcomes.find("a.example")).isEqualTo(later);
    assertThat(outcomes.find("b.example")).isNull();
  }

  @Test
  void whatIsOfAnotherVersionIsNotKnown() {
    for (String text :
        new String[] {"", "soon 1 true", "1970-01-01T00:00:00Z x true", "1970-01-01T00:00:00Z"}) {
      store.put(Jid.of("a.example"), "last", text.getBytes(StandardCharsets.UTF_8));
      assertThat(outcomes.find("a.example")).as(text).isNull();
    }
  }
}
