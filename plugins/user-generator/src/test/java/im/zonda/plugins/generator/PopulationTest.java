package im.zonda.plugins.generator;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.plugin.NewAccount;
import im.zonda.xml.Element;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PopulationTest {
  private static Run run(long seed, int count, List<String> groups) {
    return run(seed, count, false, groups);
  }

  private static Run run(long seed, int count, boolean numbered, List<String> groups) {
    return new Run(
        "load",
        "example.org",
        seed,
        count,
        10,
        true,
        "x-",
        numbered,
        groups,
        new Run.Progress(Run.State.CREATING, 0, 0, Instant.EPOCH));
  }

  @Test
  void addressesMayBeNumbers() {
    Run run = run(1, 12, true, List.of());
    List<Jid> addresses = accounts(run).stream().map(NewAccount::account).toList();
    assertThat(addresses)
        .hasSize(12)
        .startsWith(Jid.of("x-0@example.org"), Jid.of("x-1@example.org"))
        .endsWith(Jid.of("x-11@example.org"));
    assertThat(accounts(run))
        .allSatisfy(account ->
            assertThat(account.contacts()).allMatch(each -> addresses.contains(each.account())));
    assertThat(Run.read("load", "example.org", run.write())).isEqualTo(run);
    assertThat(run(1, 12, List.of()).isLike(run)).isFalse();
  }

  private static List<NewAccount> accounts(Run run) {
    Population people = new Population(run);
    List<NewAccount> all = new ArrayList<>();
    for (int i = 0; i < run.count(); i++) {
      all.add(people.account(i, "secret", _ -> false));
    }
    return all;
  }

  private static String shown(List<NewAccount> accounts) {
    StringBuilder shown = new StringBuilder();
    for (NewAccount each : accounts) {
      shown.append(each.account()).append(each.contacts()).append(each.vcard()).append('\n');
    }
    return shown.toString();
  }

  @Test
  void addressesAreUniqueWhenNamesAreUsedUp() {
    Population people = new Population(run(1, 2 * Names.size() + 500, List.of()));
    Set<Jid> addresses = new HashSet<>();
    for (int i = 0; i < 2 * Names.size() + 500; i++) {
      Population.Person person = people.person(i);
      assertThat(addresses.add(person.address())).as(person.toString()).isTrue();
      assertThat(person.address().local()).matches("x-[a-z]+\\.[a-z]+[0-9]*");
    }
  }

  @Test
  void everythingFollowsFromTheSeed() {
    List<String> groups = List.of("Friends", "Work");
    String first = shown(accounts(run(5, 400, groups)));
    assertThat(shown(accounts(run(5, 400, groups)))).isEqualTo(first);
    assertThat(shown(accounts(run(6, 400, groups)))).isNotEqualTo(first);
    assertThat(accounts(run(5, 400, groups)).stream().map(NewAccount::account))
        .isNotEqualTo(accounts(run(6, 400, groups)).stream().map(NewAccount::account));
  }

  @Test
  void aContactHasTheNameOfThePersonAndTheSameGroupOnBothSides() {
    List<String> groups = List.of("Friends", "Work", "Family");
    Map<Jid, NewAccount> all = new HashMap<>();
    accounts(run(1, 400, groups)).forEach(each -> all.put(each.account(), each));
    Set<String> used = new HashSet<>();
    for (NewAccount own : all.values()) {
      assertThat(own.contacts()).hasSize(10);
      for (NewAccount.Contact contact : own.contacts()) {
        NewAccount other = Objects.requireNonNull(all.get(contact.account()));
        assertThat(contact.name()).isEqualTo(text(other, "FN"));
        assertThat(contact.groups()).hasSize(1);
        used.addAll(contact.groups());
        assertThat(other.contacts())
            .filteredOn(back -> back.account().equals(own.account()))
            .extracting(NewAccount.Contact::groups)
            .containsExactly(contact.groups());
      }
    }
    assertThat(used).containsExactlyInAnyOrderElementsOf(groups);
    assertThat(accounts(run(1, 20, List.of())).getFirst().contacts().getFirst().groups()).isEmpty();
  }

  private static String text(NewAccount account, String child) {
    Element vcard = Objects.requireNonNull(account.vcard());
    return Objects.requireNonNull(vcard.child(child)).text();
  }

  @Test
  void aVcardTellsWhoSomeoneIs() {
    for (NewAccount each : accounts(run(1, 300, List.of()))) {
      Element vcard = Objects.requireNonNull(each.vcard());
      Element name = Objects.requireNonNull(vcard.child("N"));
      Element mail = Objects.requireNonNull(vcard.child("EMAIL"));
      assertThat(text(each, "FN"))
          .isEqualTo(
              Objects.requireNonNull(name.child("GIVEN")).text()
                  + " "
                  + Objects.requireNonNull(name.child("FAMILY")).text());
      assertThat(Objects.requireNonNull(mail.child("USERID")).text())
          .matches(each.account().local() + "@(mail\\.)?example\\.(com|net|org)");
      assertThat(text(each, "NICKNAME")).isNotEmpty();
      assertThat(text(each, "TITLE")).isNotEmpty();
      assertThat(vcard.child("PHOTO")).isNull();
    }
  }

  @Test
  void whoHasNoAccountIsNoContact() {
    Population people = new Population(run(1, 100, List.of()));
    int stranger = people.contacts(0)[0];
    NewAccount account = people.account(0, "secret", each -> each == stranger);
    assertThat(account.contacts())
        .hasSize(9)
        .noneMatch(each -> each.account().equals(people.person(stranger).address()));
  }

  @Test
  void aRunIsReadAsItWasWritten() {
    Run run =
        run(Long.MIN_VALUE, 400, List.of("A = b", "c\\d", "e, f")).at(Run.State.REMOVING, 7, 9);
    assertThat(Run.read("load", "example.org", run.write())).isEqualTo(run);
    Run bare = run(1, 400, List.of());
    assertThat(Run.read("load", "example.org", bare.write())).isEqualTo(bare);
  }
}
