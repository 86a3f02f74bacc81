package im.zonda.storage.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.jid.Jid;
import im.zonda.store.UploadStore;
import im.zonda.store.UploadStore.Upload;
import im.zonda.store.UploadStore.Usage;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Contract of the store of uploaded files.
public abstract class UploadStoreContract extends StoresContract {
  private static final Instant LATER = NOON.plusSeconds(60);
  private static final String HASH = "0a".repeat(32);

  private UploadStore uploads() {
    return stores.uploads();
  }

  private static Upload file(String slot, Jid owner, long size, Instant created) {
    return file(slot, owner, size, created, null);
  }

  private static Upload file(
      String slot, Jid owner, long size, Instant created, @Nullable Instant expires) {
    return new Upload(slot, owner, "photo.jpg", "image/jpeg", size, HASH, created, expires);
  }

  private void makeOwners() {
    makeAccounts(ROMEO, JULIET);
  }

  @Test
  void aFileIsFoundAlsoAfterAnotherStart() {
    makeOwners();
    Upload kept = file("a", ROMEO, 5_000_000_000L, NOON.plusNanos(1_000), LATER);
    assertThat(uploads().add(kept)).isTrue();
    assertThat(uploads().add(file("b", JULIET, 1, NOON))).isTrue();
    assertThat(uploads().find("a")).isEqualTo(kept);
    reopen();
    assertThat(uploads().find("a")).isEqualTo(kept);
    assertThat(uploads().find("b")).isEqualTo(file("b", JULIET, 1, NOON));
    assertThat(uploads().find("c")).isNull();
  }

  @Test
  void theFilesOfSeveralAccountsAreCounted() {
    makeOwners();
    uploads().add(file("a", ROMEO, 5, NOON));
    uploads().add(file("b", ROMEO, 6, LATER));
    Jid nobody = Jid.of("nobody@example.net");
    assertThat(uploads().usages("example.net", List.of(ROMEO, JULIET, nobody)))
        .isEqualTo(Map.of(ROMEO, new UploadStore.Usage(2, 11)));
    assertThat(uploads().usages("example.net", List.of())).isEmpty();
  }

  @Test
  void aSlotHasOneFile() {
    makeOwners();
    assertThat(uploads().add(file("a", ROMEO, 1, NOON))).isTrue();
    assertThat(uploads().add(file("a", JULIET, 2, LATER))).isFalse();
    assertThat(uploads().find("a")).isEqualTo(file("a", ROMEO, 1, NOON));
  }

  @Test
  void hostileTextsAreKept() {
    makeOwners();
    for (String text : HOSTILE) {
      if (text.length() < 200) {
        Upload file = new Upload("h" + text.hashCode(), ROMEO, text, text, 1, HASH, NOON, null);
        uploads().add(file);
        assertThat(uploads().find(file.slot())).isEqualTo(file);
        assertThat(uploads().find(text)).isNull();
      }
    }
  }

  @Test
  void textsThatAreTooLongAreRejected() {
    makeOwners();
    String longest = "\u00e9".repeat(127);
    uploads().add(new Upload("a".repeat(64), ROMEO, longest, longest, 1, HASH, NOON, null));
    assertThatThrownBy(
            () -> uploads().add(new Upload("b", ROMEO, longest + "xx", "a/b", 1, HASH, NOON, null)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> uploads().add(file("b".repeat(65), ROMEO, 1, NOON)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void onlyAccountsHaveFiles() {
    assertThatThrownBy(() -> uploads().add(file("a", ROMEO, 1, NOON)))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void filesOfAnAccountAreListedAndCounted() {
    makeOwners();
    uploads().add(file("new", ROMEO, 10, LATER));
    uploads().add(file("old", ROMEO, 3_000_000_000L, NOON));
    uploads().add(file("other", JULIET, 7, NOON));
    assertThat(uploads().list(ROMEO, Instant.EPOCH, 10))
        .extracting(Upload::slot)
        .containsExactly("old", "new");
    assertThat(uploads().list(ROMEO, Instant.EPOCH, 1))
        .extracting(Upload::slot)
        .containsExactly("old");
    assertThat(uploads().list(ROMEO, LATER, 10)).extracting(Upload::slot).containsExactly("new");
    assertThat(uploads().usage(ROMEO, Instant.EPOCH)).isEqualTo(new Usage(2, 3_000_000_010L));
    assertThat(uploads().usage(ROMEO, LATER)).isEqualTo(new Usage(1, 10));
    assertThat(uploads().usage(ROMEO, LATER.plusSeconds(1))).isEqualTo(new Usage(0, 0));
    assertThat(uploads().usage(Jid.of("nobody@example.net"), NOON)).isEqualTo(new Usage(0, 0));
  }

  @Test
  void oldAndExpiredFilesOfADomainAreFound() {
    makeOwners();
    Jid elsewhere = Jid.of("romeo@example.com");
    makeAccounts(elsewhere);
    uploads().add(file("old", ROMEO, 1, NOON));
    uploads().add(file("new", ROMEO, 1, LATER));
    uploads().add(file("expired", JULIET, 1, LATER, LATER.plusSeconds(1)));
    uploads().add(file("expires", JULIET, 1, LATER, LATER.plusSeconds(2)));
    uploads().add(file("elsewhere", elsewhere, 1, NOON));
    Instant now = LATER.plusSeconds(1);
    assertThat(uploads().outdated("example.net", LATER, now, 10)).containsExactly("old", "expired");
    assertThat(uploads().outdated("example.net", LATER, now, 1)).containsExactly("old");
    assertThat(uploads().outdated("example.net", NOON, LATER, 10)).isEmpty();
  }

  @Test
  void filesAreRemoved() {
    makeOwners();
    uploads().add(file("a", ROMEO, 1, NOON));
    uploads().add(file("b", ROMEO, 1, NOON));
    uploads().add(file("c", JULIET, 1, NOON));
    assertThat(uploads().remove(List.of("a", "c", "d"))).isEqualTo(2);
    assertThat(uploads().remove(List.of("a"))).isZero();
    reopen();
    assertThat(uploads().find("a")).isNull();
    assertThat(uploads().find("b")).isNotNull();
  }

  @Test
  void aHashIsUsedUntilItsLastFileIsRemoved() {
    makeOwners();
    uploads().add(file("a", ROMEO, 1, NOON));
    uploads().add(file("b", JULIET, 1, NOON));
    String other = "1b".repeat(32);
    assertThat(uploads().used(Set.of())).isEmpty();
    assertThat(uploads().used(Set.of(HASH, other))).containsExactly(HASH);
    uploads().remove(List.of("a"));
    assertThat(uploads().used(Set.of(HASH))).containsExactly(HASH);
    uploads().remove(List.of("b"));
    assertThat(uploads().used(Set.of(HASH))).isEmpty();
  }

  @Test
  void removingAnAccountRemovesItsFiles() {
    makeOwners();
    uploads().add(file("a", ROMEO, 1, NOON));
    uploads().add(file("b", JULIET, 1, NOON));
    stores.accounts().remove(ROMEO);
    assertThat(uploads().find("a")).isNull();
    assertThat(uploads().usage(ROMEO, Instant.EPOCH)).isEqualTo(new Usage(0, 0));
    assertThat(uploads().find("b")).isNotNull();
    makeAccounts(ROMEO);
    assertThat(uploads().usage(ROMEO, Instant.EPOCH)).isEqualTo(new Usage(0, 0));
  }
}
