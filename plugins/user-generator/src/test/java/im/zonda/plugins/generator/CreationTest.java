package im.zonda.plugins.generator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.jid.Jid;
import im.zonda.plugin.NewAccount;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

class CreationTest {
  private static final int COUNT = 1_000;
  private static final Run RUN =
      new Run(
          "load",
          "example.org",
          1,
          COUNT,
          10,
          false,
          "",
          false,
          List.of("Friends"),
          new Run.Progress(Run.State.CREATING, 0, 0, Instant.EPOCH));

  private final TestAccounts accounts = new TestAccounts();
  private final Population people = new Population(RUN);

  /// A process of the server.
  private Runs process() {
    accounts.endsAfter = Integer.MAX_VALUE;
    return new Runs(accounts, accounts, LoggerFactory.getLogger(CreationTest.class));
  }

  private static Run stored(Runs runs) {
    return Objects.requireNonNull(runs.find("example.org", "load"));
  }

  private static String create(Runs runs) throws InterruptedException {
    return new Creation(runs, stored(runs), "secret").work((_, _, _) -> {});
  }

  private static String remove(Runs runs) throws InterruptedException {
    Run run = stored(runs);
    Run.Progress progress = run.progress();
    Run removing =
        progress.state() == Run.State.REMOVING
            ? run
            : run.at(Run.State.REMOVING, 0, progress.done());
    runs.save(removing);
    return new Removal(runs, removing).work((_, _, _) -> {});
  }

  private Jid address(int index) {
    return people.person(index).address();
  }

  /// @param late the address of someone who has registered after a contact was created, or null
  private void assertComplete(Set<Jid> strangers, @Nullable Jid late) {
    assertThat(accounts.accounts).hasSize(COUNT);
    for (NewAccount each : accounts.accounts.values()) {
      if (strangers.contains(each.account())) {
        assertThat(each.password()).isEqualTo("own");
        continue;
      }
      for (NewAccount.Contact contact : each.contacts()) {
        if (!contact.account().equals(late)) {
          NewAccount other = Objects.requireNonNull(accounts.accounts.get(contact.account()));
          assertThat(other.contacts())
              .as(each.account() + " and " + other.account())
              .anyMatch(back -> back.account().equals(each.account()));
        }
      }
    }
  }

  @Test
  void createsAndRemoves() throws InterruptedException {
    Runs runs = process();
    runs.save(RUN);
    assertThat(create(runs)).isEqualTo("1000 accounts were created.");
    assertComplete(Set.of(), null);
    assertThat(stored(runs).progress())
        .isEqualTo(new Run.Progress(Run.State.COMPLETE, COUNT, COUNT, Instant.EPOCH));
    assertThat(remove(runs)).isEqualTo("1000 accounts were removed.");
    assertThat(accounts.accounts).isEmpty();
    assertThat(runs.all("example.org")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"1, true", "1, false", "3, true", "3, false", "4, true", "4, false"})
  void row42_aCrashLeavesNothingBehindAndTouchesNobody(int after, boolean made)
      throws InterruptedException {
    Set<Jid> strangers = new HashSet<>();
    for (int i : List.of(0, 5, 319, 320, 700, 999)) {
      strangers.add(address(i));
      accounts.addPerson(address(i));
    }
    Runs first = process();
    first.save(RUN);
    end(after, made);
    assertThatThrownBy(() -> create(first)).isInstanceOf(TestAccounts.Ended.class);
    // Someone registers, before all was created.
    if (!accounts.accounts.containsKey(address(998))) {
      strangers.add(address(998));
      accounts.addPerson(address(998));
    }
    String text = create(process());
    assertThat(text).contains("other accounts");
    assertComplete(strangers, address(998));
    Runs third = process();
    end(after, made);
    assertThatThrownBy(() -> remove(third)).isInstanceOf(TestAccounts.Ended.class);
    // Someone registers with an address that has just become free.
    Jid free = address(1);
    if (!accounts.accounts.containsKey(free)) {
      accounts.addPerson(free);
      strangers.add(free);
    }
    remove(process());
    assertThat(accounts.accounts.keySet()).isEqualTo(strangers);
    assertThat(process().all("example.org")).isEmpty();
  }

  private void end(int after, boolean made) {
    accounts.endsAfter = after;
    accounts.lastIsMade = made;
  }

  @Test
  void anAddressThatIsStillReservedIsTriedAgain() throws InterruptedException {
    Runs runs = process();
    runs.save(RUN);
    accounts.reserved.addAll(List.of(address(3), address(4)));
    int[] changes = {0};
    accounts.beforeChange =
        () -> {
          if (++changes[0] == 3) {
            accounts.reserved.clear();
          }
        };
    assertThat(create(runs)).isEqualTo("1000 accounts were created.");
    assertComplete(Set.of(), null);
  }

  @Test
  void aRunThatHasNotEndedIsRemovedToo() throws InterruptedException {
    Runs first = process();
    first.save(RUN);
    end(2, true);
    assertThatThrownBy(() -> create(first)).isInstanceOf(TestAccounts.Ended.class);
    assertThat(accounts.accounts).hasSize(2 * Creation.PORTION);
    assertThat(remove(process())).isEqualTo("640 accounts were removed.");
    assertThat(accounts.accounts).isEmpty();
  }

  @Test
  void cancellingEndsBetweenTwoPortions() throws InterruptedException {
    Runs runs = process();
    runs.save(RUN);
    accounts.beforeChange = () -> Thread.currentThread().interrupt();
    assertThatThrownBy(() -> create(runs)).isInstanceOf(InterruptedException.class);
    assertThat(accounts.accounts).hasSize(Creation.PORTION);
    accounts.beforeChange = () -> {};
    assertThat(create(runs)).isEqualTo("680 accounts were created, after 320 before.");
    assertComplete(Set.of(), null);
    accounts.beforeChange = () -> Thread.currentThread().interrupt();
    assertThatThrownBy(() -> remove(runs)).isInstanceOf(InterruptedException.class);
    accounts.beforeChange = () -> {};
    assertThat(remove(runs)).isEqualTo("680 accounts were removed.");
    assertThat(accounts.accounts).isEmpty();
  }

  @Test
  void creatingEndsWhenTheRunIsRemovedAtAnotherNode() {
    Runs runs = process();
    runs.save(RUN);
    accounts.beforeChange = () -> runs.save(RUN.at(Run.State.REMOVING, 0, 0));
    assertThatThrownBy(() -> create(runs)).hasMessage("the run is being removed");
    assertThat(accounts.accounts).hasSize(Creation.PORTION);
    assertThat(stored(runs).progress().state()).isEqualTo(Run.State.REMOVING);
  }

  @Test
  void ofTwoRunsEachRemovesItsOwn() throws InterruptedException {
    Runs runs = process();
    runs.save(RUN);
    create(runs);
    Run same =
        new Run(
            "again",
            "example.org",
            1,
            COUNT + 50,
            10,
            false,
            "",
            false,
            List.of(),
            new Run.Progress(Run.State.CREATING, 0, 0, Instant.EPOCH));
    runs.save(same);
    assertThat(new Creation(runs, same, "secret").work((_, _, _) -> {}))
        .isEqualTo("50 accounts were created; 1000 addresses were those of other accounts.");
    assertThat(remove(runs)).isEqualTo("1000 accounts were removed.");
    assertThat(accounts.accounts).hasSize(50);
    assertThat(runs.all("example.org")).extracting(Run::name).containsExactly("again");
  }

  @Test
  void aRunThatCannotBeReadIsLeftOut() {
    Runs runs = process();
    runs.save(RUN);
    for (String damaged : List.of("", "count=1", "count=x\nstate=NONE")) {
      accounts.put(Jid.of("example.org"), "run.damaged", damaged.getBytes(StandardCharsets.UTF_8));
      assertThat(runs.all("example.org")).containsExactly(RUN);
    }
    assertThat(Map.copyOf(accounts.accounts)).isEmpty();
  }
}
