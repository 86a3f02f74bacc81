package im.zonda.auth;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.module.ClientAccess.Client;
import im.zonda.storage.memory.MemoryStores;
import im.zonda.store.Account;
import im.zonda.store.AccountStore;
import im.zonda.store.ScramKeys;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class KnownClientAccessTest {
  private static final Jid ROMEO = Jid.of("romeo@example.org");
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
  private static final KnownClient.Token TOKEN =
      new KnownClient.Token("HT-SHA-256-NONE", "seed", NOW, NOW.plusSeconds(60));

  private Instant now = NOW;
  private final MemoryStores stores = new MemoryStores(() -> now);
  private final AccountStore accounts = stores.accounts();
  private final KnownClients clients =
      new KnownClients(stores.keyValues("clients"), 32, Duration.ofDays(30), () -> now);
  private final KnownClientAccess access = new KnownClientAccess(accounts, clients);

  KnownClientAccessTest() {
    accounts.create(List.of(new Account(ROMEO, keys(1), NOW)));
    Account romeo = Objects.requireNonNull(accounts.find(ROMEO));
    clients.add(
        ROMEO,
        new KnownClient("c", "Test", "Desk", NOW, NOW, KnownClient.markOf(romeo), TOKEN, null));
  }

  private static List<ScramKeys> keys(int key) {
    byte[] bytes = {(byte) key};
    return List.of(new ScramKeys("SHA-256", bytes, 4_096, bytes, bytes));
  }

  @Test
  void aClientIsListedWithWhatItHas() {
    assertThat(access.list(ROMEO))
        .containsExactly(new Client("c", "Test", "Desk", NOW, NOW, true, true));
  }

  @Test
  void afterAPasswordChangeNeitherPasswordNorTokenIsGood() {
    accounts.changeKeys(ROMEO, keys(2));
    assertThat(access.list(ROMEO))
        .containsExactly(new Client("c", "Test", "Desk", NOW, NOW, false, false));
  }

  @Test
  void aClientThatHasNotLoggedInForLongIsNotListed() {
    now = NOW.plus(Duration.ofDays(31));
    assertThat(access.list(ROMEO)).isEmpty();
  }

  @Test
  void aClientIsRemovedWithItsTokens() {
    access.remove(ROMEO, "c");
    assertThat(access.list(ROMEO)).isEmpty();
    assertThat(clients.find(ROMEO, "c")).isNull();
  }

  @Test
  void withoutAnAccountThereAreNoClients() {
    accounts.remove(ROMEO);
    assertThat(access.list(ROMEO)).isEmpty();
  }
}
