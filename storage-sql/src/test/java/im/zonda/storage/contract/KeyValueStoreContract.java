package im.zonda.storage.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.jid.Jid;
import im.zonda.store.KeyValueStore;
import im.zonda.store.Stores;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Contract of the key-value stores.
public abstract class KeyValueStoreContract extends StoresContract {
  @BeforeEach
  void accounts() {
    makeAccounts(ROMEO, JULIET);
  }

  @Test
  void keepsValuesApartByStoreOwnerAndKey() {
    KeyValueStore vcards = stores.keyValues("vcard");
    vcards.put(ROMEO, "a", bytes("romeo a"));
    vcards.put(ROMEO, "b", bytes("romeo b"));
    vcards.put(JULIET, "a", bytes("juliet a"));
    stores.keyValues("private").put(ROMEO, "a", bytes("private a"));
    reopen();
    vcards = stores.keyValues("vcard");
    assertThat(vcards.get(ROMEO, "a")).isEqualTo(bytes("romeo a"));
    assertThat(vcards.get(JULIET, "a")).isEqualTo(bytes("juliet a"));
    assertThat(vcards.get(JULIET, "b")).isNull();
    assertThat(stores.keyValues("private").get(ROMEO, "a")).isEqualTo(bytes("private a"));
    assertThat(vcards.all(ROMEO)).containsOnlyKeys("a", "b");
    assertThat(vcards.all(ROMEO).get("b")).isEqualTo(bytes("romeo b"));
    assertThat(vcards.all(Jid.of("nobody@example.net"))).isEmpty();
  }

  @Test
  void replacesAndRemoves() {
    KeyValueStore store = stores.keyValues("vcard");
    store.put(ROMEO, "a", bytes("one"));
    store.put(ROMEO, "a", bytes("two"));
    assertThat(store.get(ROMEO, "a")).isEqualTo(bytes("two"));
    assertThat(store.remove(ROMEO, "a")).isTrue();
    assertThat(store.remove(ROMEO, "a")).isFalse();
    assertThat(store.remove(Jid.of("nobody@example.net"), "a")).isFalse();
    assertThat(store.get(ROMEO, "a")).isNull();
  }

  /// A database may find those of the second one by an index.
  @ParameterizedTest
  @ValueSource(strings = {"directory", "disabled"})
  void findsValuesThatContainATextInPages(String name) {
    List<Jid> accounts = new ArrayList<>();
    for (String local : List.of("anna", "bert", "carl", "dora")) {
      accounts.add(Jid.of(local + "@search.example"));
    }
    makeAccounts(accounts.toArray(Jid[]::new));
    makeAccounts(Jid.of("anna@elsewhere.example"));
    KeyValueStore store = stores.keyValues(name);
    for (Jid account : accounts) {
      store.put(account, "entry", bytes("x" + account.local() + " \u00e4%_'\\"));
      store.put(account, "other", bytes("xyz"));
      stores.keyValues("vcard").put(account, "entry", bytes("xyz"));
    }
    store.put(Jid.of("anna@elsewhere.example"), "entry", bytes("anna"));
    store.put(accounts.get(3), "entry", new byte[] {0, 'r', (byte) 0xff});
    reopen();
    store = stores.keyValues(name);
    assertThat(found(store, "r", null, 10)).containsExactly("bert", "carl", "dora");
    assertThat(found(store, "r", null, 2)).containsExactly("bert", "carl");
    assertThat(found(store, "r", accounts.get(1), 2)).containsExactly("carl", "dora");
    assertThat(found(store, "r", accounts.get(3), 2)).isEmpty();
    assertThat(found(store, "\u00e4%_'\\", null, 10)).containsExactly("anna", "bert", "carl");
    assertThat(found(store, "", null, 10)).hasSize(4);
    assertThat(found(store, "xyz", null, 10)).isEmpty();
    assertThat(found(store, "R", null, 10)).isEmpty();
    byte[] binary = {0, 'r', (byte) 0xff};
    assertThat(store.find("search.example", "entry", binary, null, 10).firstEntry().getValue())
        .isEqualTo(binary);
    stores.accounts().remove(accounts.get(1));
    assertThat(found(store, "r", null, 10)).containsExactly("carl", "dora");
    assertThat(store.find("nowhere.example", "entry", bytes("r"), null, 10)).isEmpty();
  }

  private static List<String> found(
      KeyValueStore store, String text, @Nullable Jid after, int limit) {
    return store.find("search.example", "entry", bytes(text), after, limit).keySet().stream()
        .map(owner -> String.valueOf(owner.local()))
        .toList();
  }

  @Test
  void readsAllValuesOfSeveralOwners() {
    KeyValueStore store = stores.keyValues("invitations");
    Jid host = Jid.of(ROMEO.domain());
    makeAccounts(ROMEO, JULIET);
    assertThat(store.all(host.domain(), List.of(ROMEO, host))).isEmpty();
    store.put(ROMEO, "a", bytes("one"));
    store.put(ROMEO, "b", bytes(""));
    store.put(JULIET, "a", bytes("two"));
    store.put(host, "a", bytes("three"));
    stores.keyValues("vcard").put(ROMEO, "c", bytes("four"));
    Map<Jid, Map<String, byte[]>> found =
        store.all(host.domain(), List.of(ROMEO, host, Jid.of("nobody@" + host)));
    assertThat(found).containsOnlyKeys(ROMEO, host);
    Map<String, byte[]> own = found.getOrDefault(ROMEO, Map.of());
    assertThat(own).containsOnlyKeys("a", "b");
    assertThat(own.get("a")).isEqualTo(bytes("one"));
    assertThat(own.get("b")).isEmpty();
    assertThat(found.getOrDefault(host, Map.of()).get("a")).isEqualTo(bytes("three"));
    assertThat(store.all(host.domain(), List.of())).isEmpty();
  }

  @Test
  void keepsTheBytesAsTheyWereWhenPut() {
    byte[] value = {1, 2, 3};
    stores.keyValues("vcard").put(ROMEO, "a", value);
    value[0] = 9;
    assertThat(stores.keyValues("vcard").get(ROMEO, "a")).containsExactly(1, 2, 3);
  }

  @Test
  void keepsEmptyAndLargeValues() {
    KeyValueStore store = stores.keyValues("vcard");
    store.put(ROMEO, "empty", new byte[0]);
    byte[] large = new byte[3_000_000];
    new Random(3).nextBytes(large);
    store.put(ROMEO, "large", large);
    reopen();
    assertThat(stores.keyValues("vcard").get(ROMEO, "empty")).isEmpty();
    assertThat(stores.keyValues("vcard").get(ROMEO, "large")).isEqualTo(large);
    assertThat(stores.keyValues("vcard").all(ROMEO)).containsOnlyKeys("empty", "large");
  }

  @Test
  void keepsValuesOfAHostWithoutMakingItAnAccount() {
    KeyValueStore store = stores.keyValues("administration");
    Jid host = Jid.of(ROMEO.domain());
    assertThat(store.all(host)).isEmpty();
    store.put(host, "motd", bytes("tea"));
    store.put(host, "motd", bytes("coffee"));
    store.put(ROMEO, "motd", bytes("romeo"));
    reopen();
    store = stores.keyValues("administration");
    assertThat(store.get(host, "motd")).isEqualTo(bytes("coffee"));
    assertThat(store.get(ROMEO, "motd")).isEqualTo(bytes("romeo"));
    assertThat(stores.accounts().list(host.domain(), null, 10)).doesNotContain(host);
    assertThat(store.find(host.domain(), "motd", bytes(""), null, 10).keySet())
        .containsExactly(ROMEO);
    store.remove(host, "motd");
    assertThat(store.get(host, "motd")).isNull();
  }

  @Test
  void keepsHostileKeysAndNames() {
    for (String text : HOSTILE) {
      stores.keyValues(text).put(ROMEO, text, bytes(text));
    }
    for (String text : HOSTILE) {
      assertThat(stores.keyValues(text).get(ROMEO, text)).isEqualTo(bytes(text));
      assertThat(stores.keyValues(text).all(ROMEO)).containsOnlyKeys(text);
      stores.keyValues(text).remove(ROMEO, text);
      assertThat(stores.keyValues(text).all(ROMEO)).isEmpty();
    }
    assertThat(stores.accounts().find(ROMEO)).isNotNull();
  }

  @Test
  void refusesAValueWithoutAccount() {
    Jid nobody = Jid.of("nobody@example.net");
    assertThatThrownBy(() -> stores.keyValues("vcard").put(nobody, "a", bytes("x")))
        .isInstanceOf(Stores.MissingOwnerException.class);
    makeAccounts(nobody);
    assertThat(stores.keyValues("vcard").all(nobody)).isEmpty();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
