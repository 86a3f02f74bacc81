package im.zonda.storage.contract;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.store.MessageArchive;
import im.zonda.store.MessageLog.Keep;
import im.zonda.store.RoomStore;
import im.zonda.store.RoomStore.Affiliation;
import im.zonda.store.RoomStore.Removed;
import im.zonda.store.RoomStore.Restoration;
import im.zonda.store.RoomStore.Room;
import im.zonda.store.RoomStore.Stored;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Contract of the store of rooms, for rooms that were removed and can be restored.
public abstract class RemovedRoomContract extends StoresContract {
  private static final String SERVICE = "rooms.example.net";
  private static final Jid GARDEN = Jid.of("garden@rooms.example.net");
  private static final Jid TOMB = Jid.of("tomb@rooms.example.net");
  private static final Instant LATER = NOON.plusSeconds(3_600).plusNanos(1_000);

  private static Room room(Jid jid) {
    return createdBy(null, jid);
  }

  private static Room createdBy(@Nullable Jid creator, Jid jid) {
    return new Room(jid, creator, NOON, true, true, "The room", "settings of " + jid);
  }

  private static Affiliation affiliation(Jid user, String word) {
    return new Affiliation(user, word, null, null);
  }

  private static Jid numbered(int number) {
    return Jid.of("room%03d".formatted(number), SERVICE, null);
  }

  private RoomStore rooms() {
    return stores.rooms();
  }

  private Stored found(Jid room) {
    return Objects.requireNonNull(rooms().find(room));
  }

  private List<String> archive(Jid owner) {
    return stores
        .archive()
        .page(
            owner,
            MessageArchive.Filter.ALL,
            new MessageArchive.Portion(false, 100, Long.MAX_VALUE))
        .entries()
        .stream()
        .map(StoresContract::body)
        .toList();
  }

  private List<Removed> removed() {
    return rooms().removed(SERVICE, null, 100);
  }

  @Test
  void aRemovedRoomIsRestoredWithEverything() {
    Room room = createdBy(JULIET, GARDEN);
    List<Affiliation> affiliations =
        List.of(new Affiliation(JULIET, "owner", "Juliet", null), affiliation(ROMEO, "outcast"));
    rooms().save(room, affiliations);
    stores.keyValues("room").put(GARDEN, "subject", new byte[] {1, 2});
    for (int i = 0; i < 5; i++) {
      stores.messages().append(entry(GARDEN, JULIET, "line " + i), Keep.ARCHIVE, false);
    }
    assertThat(rooms().removeRestorably(GARDEN, LATER, 10)).isTrue();
    assertThat(rooms().removeRestorably(GARDEN, LATER, 10)).isFalse();
    stores.messages().append(entry(GARDEN, JULIET, "too late"), Keep.ARCHIVE, false);
    assertThat(rooms().find(GARDEN)).isNull();
    assertThat(rooms().list(SERVICE, null, 10)).isEmpty();
    assertThat(rooms().listed(SERVICE, null, null, 10)).isEmpty();
    assertThat(rooms().affiliatedRooms(JULIET, 10)).isEmpty();
    assertThat(rooms().created(SERVICE, JULIET)).isZero();
    assertThat(stores.accounts().list(SERVICE, null, 10)).isEmpty();
    assertThat(stores.accounts().count(SERVICE)).isZero();
    assertThat(stores.remoteQueues().list(SERVICE, null, 10)).isEmpty();
    assertThat(archive(GARDEN)).isEmpty();
    assertThat(stores.keyValues("room").all(GARDEN)).isEmpty();
    reopen();
    assertThat(removed()).hasSize(1);
    Removed found = removed().getFirst();
    assertThat(found.room()).isEqualTo(room);
    assertThat(found.removed()).isEqualTo(LATER);
    assertThat(rooms().restore(GARDEN, found.number())).isEqualTo(Restoration.DONE);
    for (int start = 0; start < 2; start++) {
      assertThat(rooms().find(GARDEN)).isEqualTo(new Stored(room, affiliations));
      assertThat(archive(GARDEN)).containsExactly("line 0", "line 1", "line 2", "line 3", "line 4");
      assertThat(stores.keyValues("room").get(GARDEN, "subject")).containsExactly(1, 2);
      assertThat(rooms().listed(SERVICE, null, "gard", 10)).containsExactly(room);
      assertThat(rooms().created(SERVICE, JULIET)).isEqualTo(1);
      assertThat(removed()).isEmpty();
      reopen();
    }
    stores.messages().append(entry(GARDEN, JULIET, "after"), Keep.ARCHIVE, false);
    assertThat(archive(GARDEN)).hasSize(6);
  }

  @Test
  void aRoomThatIsMadeMeanwhileKeepsItsAddress() {
    rooms().save(room(GARDEN), List.of(affiliation(JULIET, "owner")));
    stores.messages().append(entry(GARDEN, JULIET, "old"), Keep.ARCHIVE, false);
    rooms().removeRestorably(GARDEN, NOON, 10);
    rooms().save(room(GARDEN), List.of(affiliation(ROMEO, "owner")));
    stores.messages().append(entry(GARDEN, ROMEO, "new"), Keep.ARCHIVE, false);
    assertThat(archive(GARDEN)).containsExactly("new");
    long first = removed().getFirst().number();
    assertThat(rooms().restore(GARDEN, first)).isEqualTo(Restoration.ADDRESS_TAKEN);
    assertThat(found(GARDEN).affiliations()).containsExactly(affiliation(ROMEO, "owner"));

    rooms().removeRestorably(GARDEN, LATER, 10);
    assertThat(removed()).extracting(Removed::removed).containsExactly(LATER, NOON);
    assertThat(rooms().restore(TOMB, first)).isEqualTo(Restoration.UNKNOWN);
    assertThat(rooms().restore(GARDEN, 1_000_000)).isEqualTo(Restoration.UNKNOWN);
    assertThat(rooms().restore(GARDEN, first)).isEqualTo(Restoration.DONE);
    assertThat(archive(GARDEN)).containsExactly("old");
    assertThat(found(GARDEN).affiliations()).containsExactly(affiliation(JULIET, "owner"));
    assertThat(rooms().restore(GARDEN, first)).isEqualTo(Restoration.ADDRESS_TAKEN);
    assertThat(rooms().remove(GARDEN)).isTrue();
    assertThat(rooms().restore(GARDEN, first)).isEqualTo(Restoration.UNKNOWN);
    makeAccounts(GARDEN);
    assertThat(rooms().restore(GARDEN, removed().getFirst().number()))
        .isEqualTo(Restoration.ADDRESS_TAKEN);
  }

  @Test
  void removedRoomsAreErasedInOrder() {
    Jid other = Jid.of("garden@rooms.example.org");
    for (int i = 0; i < 5; i++) {
      rooms().save(room(numbered(i)), List.of());
      stores.messages().append(entry(numbered(i), JULIET, "gone"), Keep.ARCHIVE, false);
      rooms().removeRestorably(numbered(i), NOON.plusSeconds(i), 10);
    }
    rooms().save(room(other), List.of());
    rooms().removeRestorably(other, NOON, 10);
    assertThat(rooms().eraseRemoved(SERVICE, NOON.plusSeconds(3), 2)).isEqualTo(2);
    assertThat(rooms().eraseRemoved(SERVICE, NOON.plusSeconds(3), 2)).isEqualTo(1);
    assertThat(rooms().eraseRemoved(SERVICE, NOON.plusSeconds(3), 2)).isZero();
    reopen();
    assertThat(removed())
        .extracting(each -> each.room().jid())
        .containsExactly(numbered(4), numbered(3));
    assertThat(rooms().removed(SERVICE, "room003", 10)).hasSize(1);
    assertThat(rooms().removed(SERVICE, "room000", 10)).isEmpty();
    assertThat(rooms().removed(SERVICE, null, 1)).hasSize(1);
    assertThat(rooms().removed("rooms.example.org", null, 10)).hasSize(1);
  }

  @Test
  void aCreatorHasSoManyRemovedRooms() {
    for (int i = 0; i < 5; i++) {
      rooms().save(createdBy(i == 0 ? ROMEO : JULIET, numbered(i)), List.of());
      rooms().removeRestorably(numbered(i), NOON.plusSeconds(i), 2);
    }
    assertThat(removed())
        .extracting(each -> each.room().jid())
        .containsExactly(numbered(4), numbered(3), numbered(0));
  }

  /// The next owner of the user's address must not own what is restored then.
  @Test
  void aUserWhoseAddressIsReleasedHasNothingInRemovedRooms() {
    makeAccounts(ROMEO);
    rooms().save(room(GARDEN), List.of(affiliation(ROMEO, "owner"), affiliation(JULIET, "member")));
    rooms().save(room(TOMB), List.of(affiliation(ROMEO, "outcast")));
    rooms().save(room(numbered(1)), List.of(affiliation(ROMEO, "owner")));
    rooms().removeRestorably(GARDEN, NOON, 10);
    rooms().removeRestorably(TOMB, LATER, 10);
    stores.accounts().remove(ROMEO);
    stores.accounts().release(ROMEO);
    removed().forEach(each -> rooms().restore(each.room().jid(), each.number()));
    assertThat(found(GARDEN).affiliations()).containsExactly(affiliation(JULIET, "member"));
    assertThat(found(TOMB).affiliations()).containsExactly(affiliation(ROMEO, "outcast"));
    assertThat(found(numbered(1)).affiliations()).hasSize(1); // asked for by itself
  }
}
