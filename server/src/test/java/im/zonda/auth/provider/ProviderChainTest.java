package im.zonda.auth.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.account.provider.AccountProvider.Ability;
import im.zonda.account.provider.ProvidedGroup;
import im.zonda.auth.Passwords;
import im.zonda.auth.provider.Admission.Admitted;
import im.zonda.auth.provider.Admission.Refused;
import im.zonda.auth.provider.Admission.Unavailable;
import im.zonda.home.lifecycle.TestClock;
import im.zonda.jid.Jid;
import im.zonda.runtime.TestRuntime;
import im.zonda.storage.memory.MemoryStores;
import im.zonda.store.Account;
import im.zonda.store.AccountStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

class ProviderChainTest {
  private static final Jid ALICE = Jid.of("alice@example.org");
  private static final Set<String> OWN = Set.copyOf(Passwords.HASHES);

  private final TestClock clock = new TestClock();
  private final AccountStore accounts = new MemoryStores(clock).accounts();
  private final KnownPeople staff = new KnownPeople();
  private final KnownPeople old = new KnownPeople();
  private final Map<String, KnownPeople> providers = new LinkedHashMap<>();
  private ProviderChains chains = chains(false, "staff", "internal", "old");

  private ProviderChains chains(boolean adopt, String... names) {
    providers.put("staff", staff);
    providers.put("old", old);
    return TestChains.of(
        accounts,
        new TestRuntime().clock(clock).build(),
        providers,
        TestChains.config(List.of(names), adopt));
  }

  private ProviderChain chain() {
    return Objects.requireNonNull(chains.find("example.org", OWN));
  }

  private ProviderGate gate() {
    return Objects.requireNonNull(chains.gates().get("example.org")).getFirst();
  }

  private Admission login(Jid account, String password) throws Exception {
    return chain()
        .checkPassword(
            account,
            password,
            null,
            "PLAIN",
            () -> Passwords.matches(Objects.requireNonNull(accounts.find(account)), password));
  }

  private void own(Jid account, String password) {
    var keys = List.of(Passwords.derive(password, "SHA-256", new byte[] {1, 2, 3}, 1));
    assertThat(accounts.create(List.of(new Account(account, keys, clock.instant())))).isEmpty();
  }

  @Test
  void theFirstLoginCreatesTheAccountWithKeysThatNoPasswordHas() throws Exception {
    staff.add("alice", "rose", "id-1");
    assertThat(accounts.find(ALICE)).isNull();
    assertThat(login(ALICE, "rose")).isEqualTo(new Admitted(ALICE, false));
    Account created = Objects.requireNonNull(accounts.find(ALICE));
    assertThat(created.keys()).hasSize(Passwords.HASHES.size());
    assertThat(Passwords.matches(created, "rose")).isFalse();
    assertThat(chains.links().find(ALICE)).isEqualTo(new AccountLinks.Link("staff", "id-1"));
  }

  @Test
  void whoIsNotFoundIsLookedForInTheRestOfTheChain() throws Exception {
    own(ALICE, "lily");
    old.add("bob", "tulip", null);
    assertThat(login(ALICE, "lily")).isEqualTo(new Admitted(ALICE, true));
    assertThat(login(ALICE, "rose")).isInstanceOf(Refused.class);
    Jid bob = Jid.of("bob@example.org");
    assertThat(login(bob, "tulip")).isEqualTo(new Admitted(bob, false));
    assertThat(login(Jid.of("carol@example.org"), "x")).isEqualTo(new Refused("no such account"));
  }

  @Test
  void aWrongPasswordIsNotTriedFurtherAlong() throws Exception {
    staff.add("bob", "rose", null);
    old.add("bob", "tulip", null);
    assertThat(login(Jid.of("bob@example.org"), "tulip")).isEqualTo(new Refused("password"));
    assertThat(old.asked.get()).isZero();
  }

  @Test
  void anAccountOfTheServersOwnIsTakenOverOnlyIfTheSettingsSaySo() throws Exception {
    own(ALICE, "lily");
    staff.add("alice", "rose", "id-1");
    assertThat(login(ALICE, "rose")).isInstanceOf(Refused.class);
    assertThat(chains.links().find(ALICE)).isNull();
    chains = chains(true, "staff", "internal");
    assertThat(login(ALICE, "rose")).isEqualTo(new Admitted(ALICE, false));
    assertThat(login(ALICE, "lily")).isInstanceOf(Refused.class);
  }

  @Test
  void aPersonWhoHasGotTheNameOfAnotherDoesNotGetTheMessages() throws Exception {
    staff.add("alice", "rose", "id-1");
    assertThat(login(ALICE, "rose")).isInstanceOf(Admitted.class);
    staff.add("alice", "violet", "id-2");
    assertThat(login(ALICE, "violet")).isEqualTo(new Refused("another person of that name"));
    staff.add("alice", "daisy", null);
    assertThat(login(ALICE, "daisy")).isInstanceOf(Refused.class);
    clock.advance(Duration.ofMinutes(6));
    assertThat(chain().isGone(ALICE)).isFalse();
    staff.add("alice", "violet", "id-2");
    clock.advance(Duration.ofMinutes(6));
    assertThat(chain().isGone(ALICE)).isTrue();
    chains.links().remove(ALICE);
    assertThat(login(ALICE, "violet")).isInstanceOf(Admitted.class);
  }

  @Test
  void anAccountOfOneProviderIsNoneOfAnother() throws Exception {
    old.add("bob", "tulip", "x");
    Jid bob = Jid.of("bob@example.org");
    assertThat(login(bob, "tulip")).isInstanceOf(Admitted.class);
    staff.add("bob", "rose", "x");
    assertThat(login(bob, "rose")).isInstanceOf(Refused.class);
    assertThat(staff.asked.get()).isOne(); // at the first login only
  }

  @Test
  void rightPasswordsAreKeptForAWhileAndWrongOnesBriefly() throws Exception {
    staff.add("alice", "rose", null);
    login(ALICE, "rose");
    login(ALICE, "rose");
    assertThat(staff.asked.get()).isOne();
    clock.advance(Duration.ofMinutes(6));
    login(ALICE, "rose");
    assertThat(staff.asked.get()).isEqualTo(2);
    for (int i = 0; i < 20; i++) {
      assertThat(login(ALICE, "guess")).isInstanceOf(Refused.class);
    }
    assertThat(staff.asked.get()).isEqualTo(3);
    clock.advance(KeptAnswers.WRONG.plusSeconds(1));
    login(ALICE, "guess");
    assertThat(staff.asked.get()).isEqualTo(4);
  }

  @Test
  void whoWasRightMayLogInForAWhileWhenTheProviderIsAway() throws Exception {
    staff.add("alice", "rose", null);
    login(ALICE, "rose");
    staff.trouble = "no route to host";
    clock.advance(Duration.ofMinutes(30));
    assertThat(login(ALICE, "rose")).isInstanceOf(Admitted.class);
    assertThat(login(ALICE, "guess")).isInstanceOf(Unavailable.class);
    assertThat(chain().isGone(ALICE)).isFalse();
    clock.advance(Duration.ofMinutes(31));
    assertThat(login(ALICE, "rose")).isInstanceOf(Unavailable.class);
  }

  @Test
  void namesOfStrangersDoNotDisplaceWhatIsKept() throws Exception {
    chains = chains(false, "staff");
    staff.add("alice", "rose", null);
    login(ALICE, "rose");
    for (int i = 0; i <= KeptAnswers.MOST_ACCOUNTS; i++) {
      login(Jid.of("stranger" + i + "@example.org"), "x");
    }
    staff.trouble = "away";
    clock.advance(Duration.ofMinutes(30));
    assertThat(login(ALICE, "rose")).isInstanceOf(Admitted.class);
  }

  @Test
  void aPasswordThatWasChangedIsNotRightByGrace() throws Exception {
    staff.add("alice", "rose", null);
    login(ALICE, "rose");
    staff.add("alice", "violet", null);
    clock.advance(Duration.ofMinutes(6));
    assertThat(login(ALICE, "rose")).isInstanceOf(Refused.class);
    staff.trouble = "away";
    clock.advance(Duration.ofMinutes(1));
    assertThat(login(ALICE, "rose")).isInstanceOf(Unavailable.class);
  }

  @Test
  void whoIsAwayIsNotAskedAndIsAskedAgain() throws Exception {
    staff.add("alice", "rose", null);
    chains = chains(false, "staff");
    staff.trouble = "no route to host";
    for (int i = 0; i < ProviderGate.MOST_FAILURES + 20; i++) {
      assertThat(login(ALICE, "rose")).isInstanceOf(Unavailable.class);
    }
    assertThat(staff.asked.get()).isEqualTo(ProviderGate.MOST_FAILURES);
    ProviderGate gate = gate();
    assertThat(gate.state().away()).isEqualTo(clock.instant());
    assertThat(gate.state().lastError()).contains("no route to host");
    clock.advance(ProviderGate.FIRST_PAUSE);
    login(ALICE, "rose");
    login(ALICE, "rose");
    assertThat(staff.asked.get()).isEqualTo(ProviderGate.MOST_FAILURES + 1);
    staff.trouble = null;
    clock.advance(ProviderGate.LONGEST_PAUSE);
    assertThat(login(ALICE, "rose")).isInstanceOf(Admitted.class);
    assertThat(gate.state().away()).isNull();
  }

  @Test
  void aHangingProviderHoldsNobodyLongerThanItsTime() throws Exception {
    staff.add("alice", "rose", null);
    own(Jid.of("bob@example.org"), "lily");
    CountDownLatch held = new CountDownLatch(1);
    staff.gate = held;
    try (var workers = Executors.newVirtualThreadPerTaskExecutor()) {
      // Not `staff` behind, so that only what hangs decides.
      chains =
          TestChains.of(
              accounts,
              new TestRuntime()
                  .clock(clock)
                  .workers(workers)
                  .random(new SplittableRandom(2))
                  .build(),
              providers,
              TestChains.config(List.of("staff", "internal"), false));
      assertThat(login(ALICE, "rose")).isInstanceOf(Unavailable.class);
      assertThat(login(Jid.of("bob@example.org"), "lily")).isInstanceOf(Admitted.class);
      held.countDown();
    }
  }

  @Test
  void mechanismsAreThoseThatAllCanServe() {
    assertThat(chain().abilities()).contains(Ability.PASSWORD).doesNotContain(Ability.SCRAM_KEYS);
    assertThat(chain().hashes()).isEmpty();
    staff.abilities.remove(Ability.PASSWORD);
    staff.abilities.add(Ability.TOKEN);
    chains = chains(false, "staff", "internal");
    assertThat(chain().hashes()).isEqualTo(OWN);
    assertThat(chain().abilities())
        .contains(Ability.PASSWORD, Ability.SCRAM_KEYS, Ability.TOKEN)
        .doesNotContain(Ability.CERTIFICATE);
  }

  @Test
  void disabledPeopleAreToldSoAndOnlyThey() throws Exception {
    staff.people.put("alice", new KnownPeople.Person("rose", null, true));
    assertThat(login(ALICE, "rose")).isEqualTo(new Admission.Disabled(ALICE));
    assertThat(login(ALICE, "guess")).isInstanceOf(Refused.class);
    assertThat(accounts.find(ALICE)).isNull();
  }

  @Test
  void whoIsGoneIsSignedOutUnlessManyAreAtOnce() throws Exception {
    List<Jid> online = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      staff.add("p" + i, "rose", null);
      Jid each = Jid.of("p" + i + "@example.org");
      login(each, "rose");
      online.add(each);
    }
    List<Jid> out = new ArrayList<>();
    ProviderSweep sweep =
        new ProviderSweep(chains, new KeptGroups(chains), () -> online, out::add, clock);
    sweep.run();
    staff.people.remove("p3");
    clock.advance(Duration.ofMinutes(5));
    sweep.run();
    assertThat(out).containsExactly(Jid.of("p3@example.org"));
    out.clear();
    online.removeFirst();
    staff.people.clear();
    clock.advance(Duration.ofMinutes(5));
    sweep.run();
    assertThat(out).isEmpty();
    clock.advance(Duration.ofMinutes(5));
    sweep.run();
    assertThat(out).containsExactlyElementsOf(online);
  }

  @Test
  void nobodyIsSignedOutBecauseTheProviderIsAway() throws Exception {
    staff.add("alice", "rose", null);
    login(ALICE, "rose");
    List<Jid> out = new ArrayList<>();
    ProviderSweep sweep =
        new ProviderSweep(chains, new KeptGroups(chains), () -> List.of(ALICE), out::add, clock);
    sweep.run();
    staff.trouble = "away";
    clock.advance(Duration.ofMinutes(10));
    sweep.run();
    assertThat(out).isEmpty();
  }

  @Test
  void groupsAreKeptWhileTheProviderIsAway() throws Exception {
    staff.abilities.add(Ability.GROUPS);
    staff.groups = List.of(new ProvidedGroup("1", "Capulets", Set.of("juliet", "nurse")));
    KeptGroups kept = new KeptGroups(chains);
    ProviderSweep sweep = new ProviderSweep(chains, kept, List::of, _ -> {}, clock);
    assertThat(kept.groups("example.org")).isEmpty();
    sweep.run();
    assertThat(kept.groups("example.org")).isEqualTo(staff.groups);
    staff.trouble = "away";
    clock.advance(Duration.ofMinutes(5));
    sweep.run();
    assertThat(kept.groups("example.org")).isEqualTo(staff.groups);
    staff.trouble = null;
    staff.groups = List.of();
    clock.advance(Duration.ofMinutes(5));
    sweep.run();
    assertThat(kept.groups("example.org")).isEmpty();
  }

  @Test
  void aNewPasswordIsSetWhereTheAccountIsKeptAndEndsWhatWasProvedBefore() throws Exception {
    staff.add("alice", "rose", null);
    login(ALICE, "rose");
    var before = Objects.requireNonNull(accounts.find(ALICE)).keys().getFirst();
    assertThat(chain().setPassword(ALICE, "violet")).isTrue();
    var after = Objects.requireNonNull(accounts.find(ALICE)).keys().getFirst();
    assertThat(after.storedKey()).isNotEqualTo(before.storedKey());
    assertThat(login(ALICE, "rose")).isInstanceOf(Refused.class);
    assertThat(login(ALICE, "violet")).isInstanceOf(Admitted.class);
    staff.abilities.remove(Ability.SET_PASSWORD);
    assertThat(chain().setPassword(ALICE, "rose")).isFalse();
  }

  @Test
  void otherSettingsEndTheConnectionsThatNobodyNeeds() {
    var before = chains.apply(TestChains.config(List.of("old", "internal"), false));
    assertThat(staff.closed).isTrue();
    assertThat(chains.gates().get("example.org")).hasSize(1);
    assertThatThrownBy(() -> chains.apply(TestChains.config(List.of("nobody"), false)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(gate().name()).isEqualTo("old");
    assertThat(before.accounts().chain()).containsExactly("staff", "internal", "old");
  }
}
