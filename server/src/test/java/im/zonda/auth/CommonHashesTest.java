package im.zonda.auth;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.storage.memory.MemoryStores;
import im.zonda.store.Account;
import im.zonda.store.ScramKeys;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CommonHashesTest {
  private static final Jid HOST = Jid.of("a.example");
  private static final Jid ANNA = Jid.of("anna@a.example");

  private final MemoryStores stores = new MemoryStores(InstantSource.fixed(Instant.EPOCH));
  private final CommonHashes hashes = new CommonHashes(stores.keyValues(CommonHashes.STORE));

  private static List<ScramKeys> keys(String... hashes) {
    return Arrays.stream(hashes)
        .map(hash -> new ScramKeys(hash, new byte[1], 1, new byte[1], new byte[1]))
        .toList();
  }

  @Test
  void allAreOfferedAtFirst() {
    assertThat(hashes.of(HOST)).containsExactlyInAnyOrder("SHA-1", "SHA-256", "SHA-512");
  }

  @Test
  void whatIsLeftIsWhatAllHave() {
    hashes.restrict(HOST, Set.of("SHA-1", "SHA-256"));
    assertThat(hashes.of(HOST)).containsExactlyInAnyOrder("SHA-1", "SHA-256");
    hashes.restrict(HOST, Set.of("SHA-1"));
    assertThat(hashes.of(HOST)).containsExactly("SHA-1");
    hashes.restrict(HOST, Set.of("SHA-256"));
    assertThat(hashes.of(HOST)).isEmpty();
    assertThat(hashes.of(Jid.of("b.example"))).hasSize(3);
  }

  @Test
  void theHashesReturnWhenAllAccountsHaveThem() {
    stores.accounts().create(List.of(new Account(ANNA, keys("SHA-1"), Instant.EPOCH)));
    hashes.restrict(HOST, Set.of("SHA-1"));
    assertThat(hashes.update(HOST, stores.accounts())).containsExactly("SHA-1");
    assertThat(stores.accounts().changeKeys(ANNA, keys("SHA-1", "SHA-256", "SHA-512"))).isTrue();
    assertThat(hashes.update(HOST, stores.accounts())).hasSize(3);
    assertThat(hashes.of(HOST)).hasSize(3);
  }
}
