package im.zonda.storage.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.jid.Jid;
import im.zonda.store.KeyValueStore;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

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
    store.remove(ROMEO, "a");
    store.remove(ROMEO, "a");
    store.remove(Jid.of("nobody@example.net"), "a");
    assertThat(store.get(ROMEO, "a")).isNull();
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
        .isInstanceOf(IllegalStateException.class);
    makeAccounts(nobody);
    assertThat(stores.keyValues("vcard").all(nobody)).isEmpty();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
