package im.zonda.storage.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.stanza.Presence;
import im.zonda.store.Account;
import im.zonda.store.AccountStore;
import im.zonda.store.AccountStore.Creation;
import im.zonda.store.AccountStore.Removed;
import im.zonda.store.MessageLog.Keep;
import im.zonda.store.RoomStore;
import im.zonda.store.RosterItem;
import im.zonda.store.RosterStore;
import im.zonda.store.ScramKeys;
import im.zonda.store.Stores;
import im.zonda.store.Stores.FilledAccount;
import im.zonda.store.Subscription;
import im.zonda.store.ValueKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Contract of the store of accounts.
public abstract class AccountStoreContract extends StoresContract {
  @Test
  void findsWhatWasCreatedAlsoAfterAnotherStart() {
    Account account =
        new Account(
            ROMEO,
            List.of(keys("SHA-1", 3), keys("SHA-256", 4), keys("SHA-512", 5)),
            Instant.parse("1999-12-31T23:59:59.123456Z"));
    assertThat(stores.accounts().create(List.of(account))).isEmpty();
    assertThat(stores.accounts().find(ROMEO)).usingRecursiveComparison().isEqualTo(account);
    reopen();
    assertThat(stores.accounts().find(ROMEO)).usingRecursiveComparison().isEqualTo(account);
    assertThat(stores.accounts().find(JULIET)).isNull();
  }

  @Test
  void findsAccountsByAPartOfTheirNames() {
    List<Jid> accounts =
        Stream.of("anna", "hannah", "joanna", "otto", "\u00e4nn")
            .map(each -> Jid.of(each, "example.net", null))
            .toList();
    makeAccounts(accounts.toArray(Jid[]::new));
    makeAccounts(Jid.of("anna@example.org"));
    Jid room = Jid.of("annas@example.net");
    stores.rooms().save(new RoomStore.Room(room, null, NOON, true, true, "", ""), List.of());
    stores.keyValues("host").put(Jid.of("example.net"), "ann", new byte[0]);
    AccountStore store = stores.accounts();
    assertThat(store.search("example.net", "ann", null, 9)).isEqualTo(accounts.subList(0, 3));
    assertThat(store.search("example.net", "ann", accounts.getFirst(), 1))
        .isEqualTo(accounts.subList(1, 2));
    assertThat(store.search("example.net", "\u00e4", null, 9)).isEqualTo(accounts.subList(4, 5));
    for (String none : List.of("Ann", "a%a", "a_n", "@", "/")) {
      assertThat(store.search("example.net", none, null, 9)).as(none).isEmpty();
    }
  }

  @Test
  void knowsWhenAccountsWereCreated() {
    Jid room = Jid.of("garden@example.net");
    makeAccounts(ROMEO);
    stores
        .accounts()
        .create(List.of(new Account(JULIET, List.of(), Instant.parse("1999-12-31T23:59:59Z"))));
    stores.rooms().save(new RoomStore.Room(room, null, NOON, true, true, "", ""), List.of());
    Jid nobody = Jid.of("nobody@example.net");
    assertThat(stores.accounts().created("example.net", Set.of(ROMEO, JULIET, nobody, room)))
        .containsOnly(
            Map.entry(ROMEO, account(ROMEO).created()),
            Map.entry(JULIET, Instant.parse("1999-12-31T23:59:59Z")));
    assertThat(stores.accounts().created("example.net", Set.of())).isEmpty();
  }

  @Test
  void leavesExistingAccountsAloneAndNamesThem() {
    makeAccounts(ROMEO);
    Account other = new Account(ROMEO, List.of(keys("SHA-1", 9)), Instant.EPOCH);
    assertThat(stores.accounts().create(List.of(account(JULIET), other, account(JULIET))))
        .containsExactly(ROMEO, JULIET);
    assertThat(stores.accounts().find(ROMEO)).usingRecursiveComparison().isEqualTo(account(ROMEO));
    assertThat(stores.accounts().find(JULIET)).isNotNull();
  }

  @Test
  void createsOneAccountWithEachPermission() {
    Jid host = Jid.of("example.org");
    Jid juliet = Jid.of("juliet@example.org");
    Jid nurse = Jid.of("nurse@example.org");
    makeAccounts(ROMEO);
    for (Jid owner : List.of(ROMEO, host)) {
      ValueKey permission = new ValueKey("invitations", owner, "a key");
      stores.keyValues("invitations").put(owner, "a key", new byte[] {1});
      assertThat(stores.accounts().create(account(ROMEO), permission))
          .isEqualTo(Creation.ADDRESS_TAKEN);
      assertThat(stores.keyValues("invitations").get(owner, "a key")).isEqualTo(new byte[] {1});
      assertThat(stores.accounts().create(account(juliet), permission)).isEqualTo(Creation.DONE);
      assertThat(stores.keyValues("invitations").get(owner, "a key")).isNull();
      assertThat(stores.accounts().create(account(nurse), permission))
          .isEqualTo(Creation.NO_PERMISSION);
      assertThat(stores.accounts().find(nurse)).isNull();
      assertThat(stores.accounts().find(juliet))
          .usingRecursiveComparison()
          .isEqualTo(account(juliet));
      assertThat(stores.accounts().remove(juliet)).isTrue();
      assertThat(stores.accounts().release(juliet)).isTrue();
    }
    assertThat(stores.accounts().create(List.of(account(nurse)))).isEmpty();
  }

  @Test
  void oneOfManyThatCreateAccountsWithTheSamePermissionAtOnceDoes() {
    stores.keyValues("invitations").put(Jid.of("example.org"), "a key", new byte[] {1});
    ValueKey permission = new ValueKey("invitations", Jid.of("example.org"), "a key");
    List<AccountStore> nodes = List.of(stores.accounts(), stores.accounts());
    List<Creation> outcomes =
        IntStream.range(0, 8)
            .parallel()
            .mapToObj(i ->
                nodes.get(i % 2).create(account(Jid.of("user" + i + "@example.org")), permission))
            .toList();
    assertThat(outcomes).containsOnlyOnce(Creation.DONE).contains(Creation.NO_PERMISSION);
    assertThat(stores.accounts().count("example.org")).isEqualTo(1);
  }

  @Test
  void createsNothingFromNothing() {
    assertThat(stores.accounts().create(List.of())).isEmpty();
  }

  @Test
  void keepsAnAccountWithoutKeys() {
    stores.accounts().create(List.of(new Account(ROMEO, List.of(), NOON)));
    assertThat(stores.accounts().find(ROMEO)).isEqualTo(new Account(ROMEO, List.of(), NOON));
  }

  @Test
  void addsKeysToThoseThatWereProvedOnly() {
    makeAccounts(ROMEO);
    ScramKeys old = keys("SHA-1", 1);
    stores.accounts().changeKeys(ROMEO, List.of(old, keys("SHA-512", 2)));
    assertThat(stores.accounts().addKeys(ROMEO, old, keys("SHA-256", 3))).isTrue();
    assertThat(stores.accounts().addKeys(ROMEO, old, keys("SHA-512", 4))).isTrue();
    assertThat(stores.accounts().addKeys(JULIET, old, keys("SHA-256", 3))).isFalse();
    List<ScramKeys> all = List.of(old, keys("SHA-256", 3), keys("SHA-512", 4));
    assertKeysOfRomeo(all);
    assertThat(stores.accounts().addKeys(ROMEO, keys("SHA-1", 9), keys("SHA-256", 5))).isFalse();
    assertThat(stores.accounts().addKeys(ROMEO, keys("SHA-9", 1), keys("SHA-256", 5))).isFalse();
    assertKeysOfRomeo(all);
    stores.accounts().changeKeys(ROMEO, List.of());
    assertThat(stores.accounts().addKeys(ROMEO, old, keys("SHA-256", 3))).isFalse();
    reopen();
    assertKeysOfRomeo(List.of());
  }

  private void assertKeysOfRomeo(List<ScramKeys> keys) {
    assertThat(Objects.requireNonNull(stores.accounts().find(ROMEO)).keys())
        .usingRecursiveFieldByFieldElementComparator()
        .containsExactlyInAnyOrderElementsOf(keys);
  }

  @Test
  void changesKeysOfExistingAccountsOnly() {
    makeAccounts(ROMEO);
    assertThat(stores.accounts().changeKeys(ROMEO, List.of(keys("SHA-512", 7)))).isTrue();
    assertThat(stores.accounts().changeKeys(JULIET, List.of(keys("SHA-512", 7)))).isFalse();
    reopen();
    assertThat(stores.accounts().find(ROMEO))
        .usingRecursiveComparison()
        .isEqualTo(new Account(ROMEO, List.of(keys("SHA-512", 7)), NOON));
  }

  @Test
  void theAddressOfARemovedAccountIsTakenUntilItIsReleased() {
    makeAccounts(ROMEO, JULIET);
    assertThat(stores.accounts().removed("example.net", null, 10)).isEmpty();
    assertThat(stores.accounts().remove(ROMEO)).isTrue();
    assertThat(stores.accounts().create(List.of(account(ROMEO)))).containsExactly(ROMEO);
    stores.keyValues("invitations").put(JULIET, "a key", new byte[] {1});
    ValueKey permission = new ValueKey("invitations", JULIET, "a key");
    assertThat(stores.accounts().create(account(ROMEO), permission))
        .isEqualTo(Creation.ADDRESS_TAKEN);
    assertThat(stores.keyValues("invitations").get(JULIET, "a key")).isNotNull();
    reopen();
    assertThat(stores.accounts().find(ROMEO)).isNull();
    assertThat(stores.accounts().create(List.of(account(ROMEO)))).containsExactly(ROMEO);
    assertThat(stores.accounts().release(ROMEO)).isTrue();
    assertThat(stores.accounts().release(ROMEO)).isFalse();
    assertThat(stores.accounts().create(List.of(account(ROMEO)))).isEmpty();
    assertThat(stores.accounts().removed("example.net", null, 10)).isEmpty();
  }

  @Test
  void theSubscriptionsOfARemovedAccountAreKeptUntilItsAddressIsReleased() {
    makeAccounts(ROMEO, JULIET);
    Jid nurse = Jid.of("nurse@example.org");
    stores.rosters().put(ROMEO, item(nurse, Subscription.BOTH, false));
    stores.rosters().put(ROMEO, item(JULIET, Subscription.NONE, true));
    stores.rosters().put(ROMEO, item(Jid.of("paris@example.org"), Subscription.NONE, false));
    stores.accounts().remove(JULIET);
    stores.accounts().remove(ROMEO);
    assertThat(stores.accounts().removed("example.net", null, 10))
        .containsExactly(
            new Removed(JULIET, Map.of()),
            new Removed(ROMEO, Map.of(nurse, Subscription.BOTH, JULIET, Subscription.TO)));
    assertThat(stores.accounts().removed("example.net", ROMEO, 10))
        .extracting(Removed::jid)
        .containsExactly(ROMEO);
    assertThat(stores.accounts().removed("example.net", null, 1))
        .extracting(Removed::jid)
        .containsExactly(JULIET);
    assertThat(stores.accounts().removed("example.org", null, 10)).isEmpty();
  }

  @Test
  void findsWhoHasSomethingAboutAContact() {
    makeAccounts(ROMEO, JULIET);
    Jid nurse = Jid.of("nurse@example.net");
    stores.rosters().put(ROMEO, item(nurse, Subscription.NONE, false));
    assertThat(stores.rosters().subscribedOwners(nurse, 10)).isEmpty();
    RosterItem approved =
        new RosterItem(nurse, null, Subscription.NONE, false, true, List.of(), null, false);
    stores.rosters().put(ROMEO, approved);
    stores.rosters().put(JULIET, item(nurse, Subscription.FROM, false));
    assertThat(stores.rosters().subscribedOwners(nurse, 10))
        .containsExactlyInAnyOrder(ROMEO, JULIET);
    assertThat(stores.rosters().subscribedOwners(nurse, 1)).hasSize(1);
    assertThat(stores.rosters().subscribedOwners(ROMEO, 10)).isEmpty();
  }

  private static RosterItem item(Jid contact, Subscription subscription, boolean ask) {
    return new RosterItem(contact, null, subscription, ask, false, List.of(), null, true);
  }

  @Test
  void removesAnAccountWithEverythingThatIsKeptOfIt() {
    makeAccounts(ROMEO, JULIET);
    for (Jid owner : List.of(ROMEO, JULIET)) {
      stores.rosters().put(owner, item(Jid.of("nurse@example.net")));
      stores.keyValues("vcard").put(owner, "", new byte[] {1});
      store(entry(owner, JULIET, "kept"), Keep.ARCHIVE).delivered();
      store(entry(owner, JULIET, "waits"), Keep.ARCHIVE);
    }
    assertThat(stores.accounts().remove(ROMEO)).isTrue();
    assertThat(stores.accounts().remove(ROMEO)).isFalse();
    assertThat(stores.accounts().find(ROMEO)).isNull();

    makeAccounts(ROMEO);
    assertThat(stores.rosters().load(ROMEO).items()).isEmpty();
    assertThat(stores.rosters().load(ROMEO).version()).isZero();
    assertThat(stores.keyValues("vcard").all(ROMEO)).isEmpty();
    assertThat(waiting(ROMEO)).isEmpty();
    reopen();
    assertThat(waiting(ROMEO)).isEmpty();
    assertThat(waiting(JULIET)).containsExactly("waits");
    assertThat(stores.rosters().load(JULIET).items()).hasSize(1);
    assertThat(stores.keyValues("vcard").all(JULIET)).hasSize(1);
  }

  @Test
  void listsADomainInOrderPageByPage() {
    List<Jid> all = new ArrayList<>();
    for (int i = 0; i < 25; i++) {
      all.add(Jid.of("user" + (char) ('a' + i) + "@example.net"));
    }
    List<Jid> shuffled = new ArrayList<>(all);
    java.util.Collections.shuffle(shuffled, new java.util.Random(5));
    makeAccounts(shuffled.toArray(new Jid[0]));
    makeAccounts(Jid.of("other@example.org"));

    List<Jid> listed = new ArrayList<>();
    List<Jid> page = stores.accounts().list("example.net", null, 7);
    while (!page.isEmpty()) {
      assertThat(page).hasSizeLessThanOrEqualTo(7);
      listed.addAll(page);
      page = stores.accounts().list("example.net", page.getLast(), 7);
    }
    assertThat(listed).isEqualTo(all);
    assertThat(stores.accounts().count("example.net")).isEqualTo(25);
    assertThat(stores.accounts().count("example.org")).isEqualTo(1);
    assertThat(stores.accounts().count("nowhere.example")).isZero();
    assertThat(stores.accounts().list("example.net", null, 0)).isEmpty();
  }

  @Test
  void treatsHostileDomainsAsText() {
    makeAccounts(ROMEO);
    for (String text : HOSTILE) {
      assertThat(stores.accounts().list(text, null, 10)).isEmpty();
      assertThat(stores.accounts().count(text)).isZero();
    }
    Jid cyrillic = Jid.of("ромео@пример.example");
    makeAccounts(cyrillic);
    assertThat(stores.accounts().list(cyrillic.domain(), null, 10)).containsExactly(cyrillic);
  }

  @Test
  void keepsHashNamesAndBytesOfAnyKind() {
    int seed = 0;
    for (String text : HOSTILE) {
      Jid jid = Jid.of("user" + seed++ + "@example.net");
      Account account = new Account(jid, List.of(keys(text, seed)), NOON);
      stores.accounts().create(List.of(account));
      assertThat(stores.accounts().find(jid)).usingRecursiveComparison().isEqualTo(account);
    }
  }

  @Test
  void oneOfManyWhoCreateTheSameAccountWins() {
    Set<Integer> winners = ConcurrentHashMap.newKeySet();
    atOnce(
        32,
        i -> {
          if (stores.accounts().create(List.of(account(ROMEO))).isEmpty()) {
            winners.add(i);
          }
        });
    assertThat(winners).hasSize(1);
  }

  @Test
  void createsAccountsWithWhatTheyHave() {
    List<FilledAccount> all = new ArrayList<>();
    List<Jid> jids = new ArrayList<>();
    for (int i = 0; i < 150; i++) {
      jids.add(Jid.of("user" + i + "@example.net"));
    }
    for (Jid each : jids) {
      assertThat(stores.accounts().find(each)).isNull(); // known to be missing, from now on
      assertThat(stores.rosters().load(each).version()).isZero();
      assertThat(stores.keyValues("vcard").get(each, "vcard")).isNull();
      assertThat(stores.keyValues("made").all(each)).isEmpty();
      all.add(
          new FilledAccount(
              account(each),
              List.of(friend(jids.getLast()), item(JULIET), friend(ROMEO)),
              Map.of(
                  new ValueKey("vcard", each, "vcard"),
                  each.toString().getBytes(UTF_8),
                  new ValueKey("made", each, "run"),
                  new byte[0])));
    }
    assertThat(stores.createAccounts(all)).isEmpty();
    for (int i = 0; i < 2; i++) {
      for (Jid each : List.of(jids.getFirst(), jids.get(63), jids.get(64), jids.getLast())) {
        assertThat(stores.accounts().find(each))
            .usingRecursiveComparison()
            .isEqualTo(account(each));
        RosterStore.Roster roster = stores.rosters().load(each);
        assertThat(roster.version()).isPositive();
        assertThat(roster.items()).hasSize(3).contains(friend(jids.getLast()), friend(ROMEO));
        assertThat(roster.items().stream().filter(item -> item.request() != null)).hasSize(1);
        assertThat(stores.keyValues("vcard").get(each, "vcard"))
            .isEqualTo(each.toString().getBytes(UTF_8));
        assertThat(stores.keyValues("made").get(each, "run")).isEmpty();
      }
      assertThat(stores.accounts().count("example.net")).isEqualTo(150);
      reopen();
    }
    assertThat(stores.createAccounts(all.subList(0, 2))).isEqualTo(jids.subList(0, 2));
  }

  @Test
  void leavesExistingAccountsAloneWhenOthersAreCreatedWithWhatTheyHave() {
    makeAccounts(ROMEO);
    Jid room = Jid.of("garden@example.net");
    Jid gone = Jid.of("gone@example.net");
    stores.rooms().save(new RoomStore.Room(room, null, NOON, true, true, "", ""), List.of());
    makeAccounts(gone);
    stores.accounts().remove(gone);
    List<FilledAccount> all =
        Stream.of(ROMEO, JULIET, room, gone, JULIET)
            .map(each -> new FilledAccount(account(each), List.of(friend(ROMEO)), Map.of()))
            .toList();
    assertThat(stores.createAccounts(all)).containsExactly(ROMEO, room, gone, JULIET);
    assertThat(stores.rosters().load(ROMEO).version()).isZero();
    assertThat(stores.rosters().load(JULIET).items()).hasSize(1);
    assertThat(stores.accounts().find(gone)).isNull();
    assertThat(stores.createAccounts(List.of())).isEmpty();
  }

  @Test
  void removesAccountsAndReservesThoseAboutWhichOthersHaveSomething() {
    Jid nurse = Jid.of("nurse@example.net");
    Jid tybalt = Jid.of("tybalt@example.net");
    Jid benvolio = Jid.of("benvolio@example.net");
    Jid paris = Jid.of("paris@example.net");
    Jid peter = Jid.of("peter@example.net");
    Jid friar = Jid.of("friar@example.net");
    makeAccounts(ROMEO, JULIET, nurse, tybalt, benvolio, paris, peter, friar);
    stores.rosters().put(ROMEO, friend(JULIET));
    stores.rosters().put(JULIET, friend(ROMEO));
    stores.rosters().put(tybalt, friend(JULIET));
    stores.rosters().put(tybalt, friend(nurse)); // who stays
    stores.rosters().put(nurse, friend(benvolio)); // who goes
    stores.rosters().put(ROMEO, friend(friar)); // who goes next
    stores.rosters().put(friar, friend(JULIET));
    Jid room = Jid.of("garden@rooms.example.net");
    stores
        .rooms()
        .save(
            new RoomStore.Room(room, null, NOON, true, true, "", ""),
            List.of(
                new RoomStore.Affiliation(paris, "member", null, null),
                new RoomStore.Affiliation(ROMEO, "outcast", null, null)));
    store(entry(JULIET, ROMEO, "waits"), Keep.UNTIL_DELIVERED);
    stores.messages().flush();
    Jid nobody = Jid.of("nobody@example.net");
    Set<Jid> leaving = Set.of(ROMEO, JULIET, tybalt, benvolio, paris, peter, nobody, room);
    Stores.Removal removal = stores.removeAccounts(leaving, Set.of(friar), Set.of(peter));
    assertThat(removal.removed())
        .containsExactlyInAnyOrder(ROMEO, JULIET, tybalt, benvolio, paris, peter);
    assertThat(removal.reserved()).containsExactlyInAnyOrder(tybalt, benvolio, paris, peter);
    assertThat(stores.accounts().removed("example.net", null, 9))
        .containsExactly(
            new Removed(benvolio, Map.of()),
            new Removed(paris, Map.of()),
            new Removed(peter, Map.of()),
            new Removed(tybalt, Map.of(nurse, Subscription.BOTH)));
    assertThat(stores.accounts().count("example.net")).isEqualTo(2);
    assertThat(stores.accounts().create(List.of(account(tybalt)))).containsExactly(tybalt);

    makeAccounts(ROMEO, JULIET);
    assertThat(stores.rosters().load(JULIET).items()).isEmpty();
    assertThat(waiting(JULIET)).isEmpty();
    assertThat(stores.rooms().find(room)).isNotNull();
  }

  private static RosterItem friend(Jid contact) {
    return new RosterItem(
        contact,
        "Friend \u2665",
        Subscription.BOTH,
        false,
        false,
        List.of("Family", "Work"),
        null,
        true);
  }

  private static RosterItem item(Jid contact) {
    return new RosterItem(
        contact,
        null,
        Subscription.NONE,
        false,
        false,
        List.of(),
        Presence.of(Presence.Type.SUBSCRIBE, contact, ROMEO, null, List.of()),
        false);
  }
}
