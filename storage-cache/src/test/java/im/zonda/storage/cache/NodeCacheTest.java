package im.zonda.storage.cache;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.limits.Limits;
import im.zonda.jid.Jid;
import im.zonda.stanza.Message;
import im.zonda.storage.memory.MemoryStores;
import im.zonda.store.Account;
import im.zonda.store.KeyValueStore;
import im.zonda.store.MessageLog;
import im.zonda.store.RosterItem;
import im.zonda.store.ScramKeys;
import im.zonda.store.Stores;
import im.zonda.store.Subscription;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What another node of the cluster has changed in the database is seen.
class NodeCacheTest {
  private static final Jid ROMEO = Jid.of("romeo@example.net");
  private static final Jid JULIET = Jid.of("juliet@example.net");

  private final MemoryStores database = new MemoryStores(InstantSource.system());
  private final Probe probe = new Probe(database);
  private final Set<Jid> here = ConcurrentHashMap.newKeySet();
  private final CachedStores stores =
      CachedStores.overNode(probe, Limits.defaults(), InstantSource.system(), here::contains);
  private final KeyValueStore values = stores.keyValues("mam");
  private final KeyValueStore vcards = stores.keyValues("vcard");

  @BeforeEach
  void createAccounts() {
    for (Jid jid : List.of(ROMEO, JULIET)) {
      database.accounts().create(List.of(new Account(jid, List.of(), Instant.EPOCH)));
      here.add(jid);
    }
  }

  private static void change(Stores by, Jid owner, int version) {
    by.keyValues("mam").put(owner, "a", new byte[] {(byte) version});
    by.keyValues("vcard").put(owner, "a", new byte[] {(byte) version});
    by.rosters()
        .put(
            owner,
            new RosterItem(
                Jid.of("contact" + version + "@example.net"),
                null,
                Subscription.NONE,
                false,
                false,
                List.of(),
                null,
                true));
  }

  private void assertVersion(Jid owner, int version) {
    assertThat(values.get(owner, "a")).containsExactly(version);
    assertThat(vcards.get(owner, "a")).containsExactly(version);
    assertThat(stores.rosters().load(owner).items()).hasSize(version);
  }

  @Test
  void isKeptWhileTheHomeIsHere() {
    change(stores, ROMEO, 1);
    assertVersion(ROMEO, 1);
    int reads = probe.reads.get();
    assertVersion(ROMEO, 1);
    assertThat(probe.reads).hasValue(reads);
  }

  @Test
  void isReadAgainWhenTheHomeIsLoaded() {
    change(stores, ROMEO, 1);
    assertVersion(ROMEO, 1);
    change(database, ROMEO, 2);
    assertThat(open(ROMEO)).isNotNull();
    assertVersion(ROMEO, 2);
  }

  @Test
  void isReadAgainAfterATakeover() {
    change(stores, ROMEO, 1);
    assertVersion(ROMEO, 1);
    change(database, ROMEO, 2);
    stores.clusterLog().takeOver(ROMEO);
    assertVersion(ROMEO, 2);
  }

  @Test
  void aHomeReadsAllButLargeValuesAtOnce() {
    change(database, ROMEO, 1);
    int reads = probe.reads.get();
    assertThat(open(ROMEO)).isNotNull();
    assertThat(values.get(ROMEO, "a")).containsExactly(1);
    assertThat(stores.rosters().load(ROMEO).items()).hasSize(1);
    assertThat(probe.reads).hasValue(reads + 1);
  }

  @Test
  void whatAHomeReadsIsNotKeptIfAMoveOvertakesIt() {
    change(database, ROMEO, 1);
    probe.afterRead =
        () -> {
          stores.caches().dropIf(ROMEO::equals);
          change(database, ROMEO, 2);
        };
    assertThat(open(ROMEO)).isNotNull();
    assertVersion(ROMEO, 2);
  }

  @Test
  void anAccountThatAnotherNodeHasRemovedHasNoHome() {
    assertThat(open(ROMEO)).isNotNull();
    assertThat(stores.rosters().load(ROMEO).items()).isEmpty();
    database.accounts().remove(ROMEO);
    assertThat(open(ROMEO)).isNull();
    assertThat(open(ROMEO)).isNull();
  }

  private Stores.@Nullable HomeStart open(Jid account) {
    return stores.openHome(account, Long.MIN_VALUE);
  }

  @Test
  void whatWaitsIsCountedAgainWhenTheHomeIsLoaded() {
    assertThat(open(ROMEO)).isNotNull();
    stores.messages().noneWaits(ROMEO);
    Message message = Message.of(Message.Type.CHAT, JULIET, ROMEO, "id1", List.of());
    long id = database.messages().nextId();
    database
        .messages()
        .append(
            new MessageLog.Entry(ROMEO, id, JULIET, message),
            MessageLog.Keep.UNTIL_DELIVERED,
            true);
    assertThat(open(ROMEO)).isEqualTo(new Stores.HomeStart(id, 1));
    assertThat(stores.messages().waitingCount(ROMEO)).isOne();
  }

  @Test
  void isNotKeptWhileTheHomeIsElsewhere() {
    change(stores, ROMEO, 1);
    assertVersion(ROMEO, 1);
    here.remove(ROMEO);
    change(database, ROMEO, 2);
    assertVersion(ROMEO, 2);
    change(database, ROMEO, 3);
    assertVersion(ROMEO, 3);
  }

  @Test
  void isDroppedWhenHomesMove() {
    for (Jid jid : List.of(ROMEO, JULIET)) {
      change(stores, jid, 1);
      assertVersion(jid, 1);
      change(database, jid, 2);
    }
    stores.caches().dropIf(ROMEO::equals);
    assertVersion(ROMEO, 2);
    assertThat(values.get(JULIET, "a")).containsExactly(1);
  }

  @Test
  void aReadThatIsOvertakenByAMoveIsNotKept() {
    change(database, ROMEO, 1);
    probe.afterRead =
        () -> {
          stores.caches().dropIf(ROMEO::equals);
          change(database, ROMEO, 2);
        };
    assertThat(values.get(ROMEO, "a")).containsExactly(1); // it began before the move
    assertVersion(ROMEO, 2);
  }

  @Test
  void accountsAreNeverKept() {
    assertThat(stores.accounts().find(ROMEO)).isNotNull();
    database.accounts().changeKeys(ROMEO, keys());
    Account found = Objects.requireNonNull(stores.accounts().find(ROMEO));
    assertThat(found.keys()).hasSize(1);
    database.accounts().remove(ROMEO);
    assertThat(stores.accounts().find(ROMEO)).isNull();
  }

  /// Who has signed in on a page, or been invited: any node may end that, wherever the home is.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "signins",
        "invitations",
        "factors",
        "factor-passkeys",
        "provided",
        "console-sessions",
        "console-challenges"
      })
  void whatAnyNodeChangesIsNeverKept(String name) {
    assertIsNotKept(name, ROMEO);
  }

  /// Tokens of programs, sessions of the console and the administrators of a host.
  @ParameterizedTest
  @ValueSource(strings = {"tokens", "token-uses", "console-sessions", "administration"})
  void whatBelongsToADomainIsNeverKept(String name) {
    Jid domain = Jid.of("zonda.invalid");
    here.add(domain);
    assertIsNotKept(name, domain);
  }

  private void assertIsNotKept(String name, Jid owner) {
    KeyValueStore store = stores.keyValues(name);
    store.put(owner, "a", new byte[] {1});
    assertThat(store.get(owner, "a")).containsExactly(1);
    database.keyValues(name).remove(owner, "a");
    assertThat(store.get(owner, "a")).isNull();
    assertThat(store.all(owner)).isEmpty();
  }

  private static List<ScramKeys> keys() {
    return List.of(new ScramKeys("SHA-256", new byte[1], 4_096, new byte[1], new byte[1]));
  }
}
