package im.zonda.storage.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.jid.Jid;
import im.zonda.store.MessageArchive;
import im.zonda.store.MessageLog;
import im.zonda.store.MessageLog.Keep;
import im.zonda.store.RoomStore;
import im.zonda.store.RoomStore.Affiliation;
import im.zonda.store.RoomStore.Room;
import im.zonda.store.RoomStore.Stored;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Contract of the store of rooms.
public abstract class RoomStoreContract extends StoresContract {
  private static final String SERVICE = "rooms.example.net";
  private static final Jid GARDEN = Jid.of("garden@rooms.example.net");
  private static final Jid TOMB = Jid.of("tomb@rooms.example.net");

  private static Room room(Jid jid) {
    return new Room(jid, null, NOON, true, true, "The room", "settings of " + jid);
  }

  private static Room room(Jid jid, boolean persistent, boolean listed, String name) {
    return new Room(jid, null, NOON, persistent, listed, name, "");
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

  private List<String> names(String text) {
    return rooms().listed(SERVICE, null, text, 1_000).stream().map(Room::name).toList();
  }

  @Test
  void findsWhatWasSavedAlsoAfterAnotherStart() {
    Room room =
        new Room(
            GARDEN,
            JULIET,
            Instant.parse("1999-12-31T23:59:59.123456Z"),
            false,
            true,
            "Capulet's garden",
            "a = 1\nb = \"two\"");
    List<Affiliation> affiliations =
        List.of(
            new Affiliation(Jid.of("example.org"), "outcast", null, "the whole domain"),
            new Affiliation(JULIET, "owner", "Juliet", null),
            new Affiliation(ROMEO, "member", "Romeo", "loves her"));
    rooms().save(room, affiliations);
    assertThat(rooms().find(GARDEN)).isEqualTo(new Stored(room, affiliations));
    reopen();
    assertThat(rooms().find(GARDEN)).isEqualTo(new Stored(room, affiliations));
    assertThat(rooms().find(TOMB)).isNull();
  }

  @Test
  void savingAgainReplacesTheRoomAndKeepsTheOtherAffiliations() {
    rooms().save(room(GARDEN), List.of(affiliation(ROMEO, "member"), affiliation(JULIET, "owner")));
    Room later = new Room(GARDEN, null, NOON.plusSeconds(1), false, false, "", "");
    rooms().save(later, List.of(new Affiliation(ROMEO, "admin", "R", "promoted")));
    assertThat(found(GARDEN).room()).isEqualTo(later);
    assertThat(found(GARDEN).affiliations())
        .containsExactly(
            affiliation(JULIET, "owner"), new Affiliation(ROMEO, "admin", "R", "promoted"));
    rooms().save(later, List.of());
    assertThat(found(GARDEN).affiliations()).hasSize(2);
  }

  @Test
  void noneRemovesAnAffiliationAndTheLastChangeOfAUserWins() {
    rooms().save(room(GARDEN), List.of(affiliation(ROMEO, "member"), affiliation(JULIET, "owner")));
    rooms().save(room(GARDEN), List.of(new Affiliation(ROMEO, "none", "R", "left")));
    assertThat(found(GARDEN).affiliations()).containsExactly(affiliation(JULIET, "owner"));
    rooms().save(room(GARDEN), List.of(affiliation(ROMEO, "none"), affiliation(ROMEO, "member")));
    rooms().save(room(GARDEN), List.of(affiliation(JULIET, "admin"), affiliation(JULIET, "none")));
    reopen();
    assertThat(found(GARDEN).affiliations()).containsExactly(affiliation(ROMEO, "member"));
  }

  @Test
  void roomsOfTheSameNameAtOtherServicesAreOthers() {
    Jid other = Jid.of("garden@rooms.example.org");
    rooms().save(room(GARDEN), List.of(affiliation(JULIET, "owner")));
    rooms().save(room(other), List.of(affiliation(ROMEO, "owner")));
    assertThat(rooms().remove(GARDEN)).isTrue();
    assertThat(found(other).affiliations()).containsExactly(affiliation(ROMEO, "owner"));
    assertThat(rooms().list(SERVICE, null, 10)).isEmpty();
  }

  @Test
  void countsWhatSomeoneHasCreated() {
    Jid other = Jid.of("garden@rooms.example.org");
    rooms().save(createdBy(JULIET, GARDEN), List.of(affiliation(ROMEO, "owner")));
    rooms().save(createdBy(JULIET, TOMB), List.of(affiliation(JULIET, "owner")));
    rooms().save(createdBy(JULIET, other), List.of(affiliation(JULIET, "owner")));
    assertThat(rooms().created(SERVICE, JULIET)).isEqualTo(2);
    assertThat(rooms().created(SERVICE, ROMEO)).isZero();
    rooms().save(createdBy(JULIET, TOMB), List.of(affiliation(JULIET, "admin")));
    rooms().remove(GARDEN);
    reopen();
    assertThat(rooms().created(SERVICE, JULIET)).isEqualTo(1);
    assertThat(rooms().listed(SERVICE, null, null, 9).getFirst().creator()).isEqualTo(JULIET);
  }

  private static Room createdBy(Jid creator, Jid jid) {
    return new Room(jid, creator, NOON, true, true, "", "");
  }

  @Test
  void keepsHostileTextInEveryField() {
    int number = 0;
    for (String text : HOSTILE) {
      Room room = new Room(numbered(number++), null, NOON, true, true, text, text);
      List<Affiliation> affiliations = List.of(new Affiliation(JULIET, text + "x", text, text));
      rooms().save(room, affiliations);
      assertThat(rooms().find(room.jid())).isEqualTo(new Stored(room, affiliations));
    }
    assertThat(rooms().listed(SERVICE, null, null, 100)).hasSize(HOSTILE.size());
    for (String text : HOSTILE) {
      assertThat(rooms().listed(text, null, null, 10)).isEmpty();
      assertThat(rooms().list(text, null, 10)).isEmpty();
      assertThat(rooms().temporary(text, null, 10)).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"o`clock%_*?", "\ud840\udc00\ud801\udc28", "漢字", "ромео", "a.b(c)[d]{e}#$!"})
  void keepsOddAddresses(String local) {
    keepsAddress(Jid.of(local, SERVICE, null));
  }

  @Test
  void keepsTheLongestAddresses() {
    keepsAddress(Jid.of("x".repeat(1_023), SERVICE, null));
    Jid wide = Jid.of("é".repeat(511) + "x", SERVICE, null);
    assertThat(Objects.requireNonNull(wide.local()).getBytes(StandardCharsets.UTF_8))
        .hasSize(1_023);
    keepsAddress(wide);
  }

  private void keepsAddress(Jid jid) {
    List<Affiliation> affiliations = List.of(new Affiliation(jid, "owner", "n", null));
    rooms().save(room(jid), affiliations);
    reopen();
    assertThat(rooms().find(jid)).isEqualTo(new Stored(room(jid), affiliations));
    assertThat(rooms().list(SERVICE, null, 10)).contains(jid);
    assertThat(rooms().listed(SERVICE, null, jid.local(), 10)).contains(room(jid));
    assertThat(rooms().remove(jid)).isTrue();
    assertThat(rooms().find(jid)).isNull();
  }

  @Test
  void refusesWhatIsNoAddressOfARoom() {
    for (String address : List.of(SERVICE, "garden@rooms.example.net/juliet")) {
      assertThatThrownBy(() -> rooms().save(room(Jid.of(address)), List.of()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(address);
    }
    assertThat(rooms().list(SERVICE, null, 10)).isEmpty();
  }

  @Test
  void listsAllInOrderPageByPage() {
    List<Jid> all = new ArrayList<>();
    for (int i = 0; i < 25; i++) {
      all.add(numbered(i));
    }
    List<Jid> shuffled = new ArrayList<>(all);
    Collections.shuffle(shuffled, new Random(5));
    for (Jid jid : shuffled) {
      int number = all.indexOf(jid);
      rooms().save(room(jid, number % 5 != 0, number % 2 == 0, "n" + number), List.of());
    }
    rooms().save(room(Jid.of("other@rooms.example.org"), false, true, "other"), List.of());

    List<Jid> listed = new ArrayList<>();
    List<Jid> page = rooms().list(SERVICE, null, 7);
    while (!page.isEmpty()) {
      assertThat(page).hasSizeLessThanOrEqualTo(7);
      listed.addAll(page);
      page = rooms().list(SERVICE, page.getLast().local(), 7);
    }
    assertThat(listed).isEqualTo(all);
    assertThat(rooms().temporary(SERVICE, null, 3))
        .containsExactly(numbered(0), numbered(5), numbered(10));
    assertThat(rooms().temporary(SERVICE, "room010", 3))
        .containsExactly(numbered(15), numbered(20));
    assertThat(rooms().listed(SERVICE, null, null, 2).stream().map(Room::jid))
        .containsExactly(numbered(0), numbered(2));
    assertThat(rooms().listed(SERVICE, "room002", null, 2).stream().map(Room::jid))
        .containsExactly(numbered(4), numbered(6));
    assertThat(rooms().page(SERVICE, null, 3).stream().map(Room::jid))
        .containsExactly(numbered(0), numbered(1), numbered(2));
    assertThat(rooms().page(SERVICE, "room022", 3).stream().map(Room::jid))
        .containsExactly(numbered(23), numbered(24));
    assertThat(rooms().page(SERVICE, null, 1)).containsExactly(found(numbered(0)).room());
    assertThat(rooms().listed(SERVICE, "room003", null, 0)).isEmpty();
    assertThat(rooms().listed(SERVICE, "room024", null, 5)).isEmpty();
  }

  @Test
  void roomsAreListedByTheirAgeAndByName() {
    for (int i = 0; i < 6; i++) {
      Instant created = NOON.plusSeconds(i / 2);
      rooms().save(new Room(numbered(i), null, created, i != 1, i != 2, "The room", ""), List.of());
    }
    rooms().save(room(Jid.of("room000@rooms.example.org")), List.of());
    List<Room> all = rooms().latest(SERVICE, null, 10);
    assertThat(all.stream().map(Room::jid))
        .containsExactlyElementsOf(
            List.of(5, 4, 3, 2, 1, 0).stream().map(i -> numbered(i)).toList());
    assertThat(all.getFirst()).isEqualTo(found(numbered(5)).room());
    for (int i = 0; i < 6; i++) {
      RoomStore.Place place =
          new RoomStore.Place(all.get(i).created(), String.valueOf(all.get(i).jid().local()));
      assertThat(rooms().latest(SERVICE, place, 2))
          .isEqualTo(all.subList(i + 1, Math.min(6, i + 3)));
    }
    assertThat(rooms().select(SERVICE, List.of("room004", "room001", "room009")))
        .containsExactlyInAnyOrder(found(numbered(1)).room(), found(numbered(4)).room());
    assertThat(rooms().select(SERVICE, List.of())).isEmpty();
  }

  @Test
  void aRoomThatBecomesHiddenOrPersistentLeavesTheOtherLists() {
    rooms().save(room(GARDEN, false, true, "Garden"), List.of());
    rooms().save(room(GARDEN, true, false, "Garden"), List.of());
    assertThat(rooms().listed(SERVICE, null, null, 10)).isEmpty();
    assertThat(rooms().temporary(SERVICE, null, 10)).isEmpty();
    assertThat(rooms().list(SERVICE, null, 10)).containsExactly(GARDEN);
    rooms().save(room(GARDEN, false, true, "Grove"), List.of());
    assertThat(names("grove")).containsExactly("Grove");
    assertThat(rooms().temporary(SERVICE, null, 10)).containsExactly(GARDEN);
  }

  @Test
  void searchesNamesAndLocalPartsWithoutCase() {
    rooms().save(room(numbered(1), true, true, "The Garden of Verona"), List.of());
    rooms().save(room(numbered(2), true, true, "ΟΔΥΣΣΕΑΣ Straße"), List.of());
    rooms().save(room(numbered(3), true, true, "КАПУЛЕТТИ"), List.of());
    rooms().save(room(numbered(4), true, false, "The hidden garden"), List.of());
    assertThat(names("garden")).containsExactly("The Garden of Verona");
    assertThat(names("N OF V")).containsExactly("The Garden of Verona");
    assertThat(names("ROOM002")).containsExactly("ΟΔΥΣΣΕΑΣ Straße");
    assertThat(names("οδυσσεας")).containsExactly("ΟΔΥΣΣΕΑΣ Straße");
    assertThat(names("σεασ s")).containsExactly("ΟΔΥΣΣΕΑΣ Straße");
    assertThat(names("капулетти")).containsExactly("КАПУЛЕТТИ");
    assertThat(names("room")).hasSize(3);
    assertThat(names("")).hasSize(3);
    assertThat(names("nothing of that")).isEmpty();
    assertThat(names("001the")).isEmpty(); // the parts do not run into each other
    assertThat(names("001\nthe")).isEmpty();
  }

  @Test
  void theTextOfASearchHasNoSyntax() {
    rooms().save(room(numbered(1), true, true, "100% _wild_ [a-z]* it's \\ \"so\"?"), List.of());
    rooms().save(room(numbered(2), true, true, "plain"), List.of());
    for (String part : List.of("0% _", "_w", "[a-z]*", "'s", "\\", "\"so\"?", "%")) {
      assertThat(names(part)).as(part).containsExactly("100% _wild_ [a-z]* it's \\ \"so\"?");
    }
    for (String wild : List.of("p%n", "p_ain", "p*n", "[p]lain", "' or 1=1 --")) {
      assertThat(names(wild)).as(wild).isEmpty();
    }
  }

  @Test
  void aRoomOwnsMessagesAndValuesLikeAnAccount() {
    rooms().save(room(GARDEN), List.of());
    stores.keyValues("room").put(GARDEN, "subject", new byte[] {1, 2});
    List<Long> ids = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      MessageLog.Entry entry = entry(GARDEN, GARDEN.withResource("Juliet"), "line " + i);
      stores.messages().append(entry, Keep.ARCHIVE, false);
      ids.add(entry.id());
    }
    stores.messages().append(entry(TOMB, TOMB, "no such room"), Keep.ARCHIVE, false);
    for (int start = 0; start < 2; start++) {
      assertThat(archive(GARDEN)).containsExactly("line 0", "line 1", "line 2", "line 3", "line 4");
      assertThat(stores.archive().holds(GARDEN, ids)).isTrue();
      assertThat(waiting(GARDEN)).isEmpty();
      assertThat(stores.keyValues("room").get(GARDEN, "subject")).containsExactly(1, 2);
      assertThat(archive(TOMB)).isEmpty();
      reopen();
    }
    assertThat(stores.archive().purge(GARDEN, Long.MIN_VALUE, 2, 100)).isEqualTo(3);
    assertThat(archive(GARDEN)).containsExactly("line 3", "line 4");
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

  @Test
  void aRoomThatIsMadeAgainSeesNothingOfTheOld() {
    for (int round = 0; round < 3; round++) {
      rooms().save(room(GARDEN), List.of(affiliation(JULIET, "owner")));
      rooms().save(room(TOMB), List.of(affiliation(ROMEO, "owner")));
      stores.keyValues("room").put(GARDEN, "subject", new byte[] {1});
      // These wait for their commit while the room goes.
      for (int i = 0; i < 200; i++) {
        stores.messages().append(entry(GARDEN, JULIET, "old"), Keep.ARCHIVE, i % 10 == 0);
      }
      assertThat(rooms().remove(GARDEN)).isTrue();
      assertThat(rooms().remove(GARDEN)).isFalse();
      stores.messages().append(entry(GARDEN, JULIET, "too late"), Keep.ARCHIVE, true);
      assertThat(rooms().find(GARDEN)).isNull();
      assertThat(rooms().listed(SERVICE, null, null, 10)).containsExactly(room(TOMB));
      if (round == 1) {
        reopen();
      }
      rooms().save(room(GARDEN), List.of());
      assertThat(found(GARDEN).affiliations()).isEmpty();
      assertThat(stores.keyValues("room").all(GARDEN)).isEmpty();
      assertThat(archive(GARDEN)).isEmpty();
      assertThat(waiting(GARDEN)).isEmpty();
    }
    assertThat(found(TOMB).affiliations()).containsExactly(affiliation(ROMEO, "owner"));
  }

  @Test
  void aRoomIsNotAnAccount() {
    rooms().save(room(GARDEN), List.of(affiliation(JULIET, "owner")));
    assertThat(stores.accounts().find(GARDEN)).isNull();
    assertThat(stores.accounts().list(SERVICE, null, 10)).isEmpty();
    assertThat(stores.accounts().count(SERVICE)).isZero();
    assertThat(stores.accounts().changeKeys(GARDEN, List.of(keys("SHA-256", 1)))).isFalse();
    assertThat(stores.accounts().remove(GARDEN)).isFalse();
    assertThat(stores.accounts().create(List.of(account(GARDEN), account(TOMB))))
        .containsExactly(GARDEN);
    assertThat(stores.accounts().find(GARDEN)).isNull();
    assertThat(stores.accounts().list(SERVICE, null, 10)).containsExactly(TOMB);
    assertThat(stores.accounts().count(SERVICE)).isEqualTo(1);
    assertThat(found(GARDEN).affiliations()).containsExactly(affiliation(JULIET, "owner"));
  }

  @Test
  void anAccountDoesNotBecomeARoom() {
    makeAccounts(GARDEN);
    store(entry(GARDEN, JULIET, "hers"), Keep.ARCHIVE);
    assertThatThrownBy(() -> rooms().save(room(GARDEN), List.of(affiliation(ROMEO, "owner"))))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("garden@rooms.example.net");
    assertThat(rooms().find(GARDEN)).isNull();
    assertThat(rooms().remove(GARDEN)).isFalse();
    assertThat(rooms().list(SERVICE, null, 10)).isEmpty();
    assertThat(waiting(GARDEN)).containsExactly("hers");
    assertThat(stores.accounts().remove(GARDEN)).isTrue();
    rooms().save(room(GARDEN), List.of());
    assertThat(archive(GARDEN)).isEmpty();
  }

  @Test
  void manyChangesAtOnceAllCount() {
    RoomStore home = rooms(); // one process of a cluster at a time
    atOnce(
        200,
        i -> {
          Affiliation one = affiliation(Jid.of("user" + i + "@example.net"), "member");
          home.save(room(GARDEN), List.of(one));
        });
    assertThat(found(GARDEN).affiliations()).hasSize(200);
  }

  @Test
  void keepsThousandsOfAffiliations() {
    List<Affiliation> many = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      many.add(affiliation(Jid.of("user%04d@example.net".formatted(i)), "member"));
    }
    rooms().save(room(GARDEN), many);
    reopen();
    assertThat(found(GARDEN).affiliations()).isEqualTo(many);
    rooms()
        .save(
            room(GARDEN),
            many.stream().skip(1).map(each -> affiliation(each.user(), "none")).toList());
    assertThat(found(GARDEN).affiliations()).containsExactly(many.getFirst());
  }

  @Test
  void findsTheRoomsOfAUserWhoIsNotBanned() {
    Jid user = Jid.of("hag@example.org");
    Jid other = Jid.of("forest@rooms.example.net");
    rooms().save(room(GARDEN), List.of(new Affiliation(user, "member", null, null)));
    rooms().save(room(other), List.of(new Affiliation(user, "owner", null, null)));
    rooms()
        .save(
            room(Jid.of("heath@rooms.example.org")),
            List.of(new Affiliation(user, "outcast", null, null)));
    assertThat(rooms().affiliatedRooms(user, 10)).containsExactlyInAnyOrder(GARDEN, other);
    assertThat(rooms().affiliatedRooms(user, 1)).hasSize(1);
    assertThat(rooms().affiliatedRooms(Jid.of("example.org"), 10)).isEmpty();
  }
}
