package im.zonda.app.users;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.account.GuestAddress;
import im.zonda.app.StandardModules;
import im.zonda.config.Services;
import im.zonda.jid.Jid;
import im.zonda.plugin.NewAccount;
import im.zonda.plugin.PluginAccounts;
import im.zonda.plugin.PluginStore;
import im.zonda.runtime.ServerRuntime;
import im.zonda.store.Account;
import im.zonda.store.RosterItem;
import im.zonda.store.ScramKeys;
import im.zonda.store.Subscription;
import im.zonda.testkit.FakeClock;
import im.zonda.testkit.SeededIds;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import im.zonda.xml.Element;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HostedAccountsTest {
  private static final Jid ROMEO = Jid.of("romeo@example.org");
  private static final Jid JULIET = Jid.of("juliet@example.org");
  private static final Jid NURSE = Jid.of("nurse@example.org");
  private static final Jid ADMIN = Jid.of("admin@example.org");
  private static final String STORE = "plugin.test";
  private static final String ROSTER =
      "<iq type='get' id='r'><query xmlns='jabber:iq:roster'/></iq>";

  private final FakeClock clock = new FakeClock();

  @SuppressWarnings("NullAway.Init") // started before each test
  private TestServer server;

  @SuppressWarnings("NullAway.Init") // started before each test
  private PluginAccounts accounts;

  @BeforeEach
  void start() throws IOException {
    server =
        ServerPlan.of(StandardModules::create)
            .withClock(clock)
            .with("services.administration.admins", List.of(ADMIN.toString()))
            .with("services.search.users", Services.Search.Users.ALL)
            .with("limits.rosterItems", 3)
            .startInMemory();
    ServerRuntime runtime =
        new ServerRuntime(clock, clock, new SeededIds(1), new SecureRandom(), Runnable::run);
    accounts = HostedAccounts.of(server.server(), server.stores(), runtime).apply(STORE);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static NewAccount account(Jid jid, NewAccount.Contact... contacts) {
    return new NewAccount(jid, "secret", List.of(contacts), null, Map.of());
  }

  private static NewAccount.Contact friend(Jid jid) {
    return new NewAccount.Contact(jid, "Dear " + jid.local(), Set.of("Friends"));
  }

  private static Element vcard(String name) {
    return Element.builder("vcard-temp", "vCard").child("FN", name).build();
  }

  private List<ScramKeys> keys(Jid jid) {
    Account found = server.stores().accounts().find(jid);
    return Objects.requireNonNull(found).keys();
  }

  @Test
  void createsAccountsWithRostersAndVcardsToWhichClientsLogIn() {
    List<Jid> created =
        accounts.create(
            List.of(
                new NewAccount(
                    ROMEO,
                    "other secret",
                    List.of(friend(JULIET)),
                    vcard("Romeo"),
                    Map.of("run", new byte[] {7})),
                account(JULIET, friend(ROMEO))));
    assertThat(created).containsExactly(ROMEO, JULIET);
    assertThat(accounts.exists(ROMEO)).isTrue();
    assertThat(accounts.exists(NURSE)).isFalse();
    assertThat(accounts.count("example.org")).isEqualTo(2);
    ScriptedClient juliet = login(JULIET, "secret");
    ScriptedClient romeo = login(ROMEO, "other secret");
    romeo.send(ROSTER);
    assertThat(romeo.receiveFirst(e -> "r".equals(e.attribute("id"))).toString())
        .contains("Dear juliet", "both", "Friends");
    romeo.send("<iq type='get' id='v'><vCard xmlns='vcard-temp'/></iq>");
    assertThat(romeo.receiveFirst(e -> "v".equals(e.attribute("id"))).toString()).contains("Romeo");
    juliet.send("<presence/>");
    romeo.send("<presence/>");
    romeo.receiveFirst(e -> (JULIET + "/balcony").equals(e.attribute("from")));
    juliet.receiveFirst(e -> (ROMEO + "/balcony").equals(e.attribute("from")));
    assertThat(server.stores().keyValues(STORE).get(ROMEO, "run")).isEqualTo(new byte[] {7});
    assertThat(server.stores().keyValues("directory").all(ROMEO)).hasSize(1);
  }

  private ScriptedClient login(Jid account, String password) {
    return server.login(Login.of(account + "/balcony", password).withSecurity(Login.Security.NONE));
  }

  @Test
  void homesThatWereLoadedBeforeAreNotStale() {
    ScriptedClient nurse = server.connect(NURSE + "/house");
    nurse.send("<presence to='" + ROMEO + "' type='probe'/>");
    nurse.send("<iq type='get' id='v' to='" + ROMEO + "'><vCard xmlns='vcard-temp'/></iq>");
    nurse.receiveFirst(e -> "v".equals(e.attribute("id")));
    assertThat(accounts.create(List.of(account(ROMEO, friend(NURSE))))).containsExactly(ROMEO);
    nurse.send("<message to='" + ROMEO + "' type='chat' id='m'><body>at last</body></message>");
    nurse.send("<iq type='get' id='w'><ping xmlns='urn:xmpp:ping'/></iq>");
    assertThat(nurse.receiveFirst(e -> !e.name().toString().endsWith("presence")).attribute("id"))
        .isEqualTo("w");
    assertThat(server.stores().messages().waitingCount(ROMEO)).isEqualTo(1);
  }

  @Test
  void existingAndReservedAddressesStayAsTheyAre() {
    server.accounts(List.of(ROMEO.toString()));
    List<ScramKeys> before = keys(ROMEO);
    Jid guest = GuestAddress.of(Jid.of("example.org"), 1, 2);
    assertThat(
            accounts.create(
                List.of(
                    account(ROMEO, friend(JULIET)),
                    account(ADMIN),
                    account(guest),
                    account(JULIET))))
        .containsExactly(JULIET);
    assertThat(keys(ROMEO)).usingRecursiveComparison().isEqualTo(before);
    assertThat(server.stores().rosters().load(ROMEO).items()).isEmpty();
    assertThat(accounts.exists(ADMIN)).isFalse();
    assertThat(accounts.exists(guest)).isFalse();
  }

  @Test
  void nothingIsCreatedIfOneCannotBe() {
    NewAccount.Contact[] many = new NewAccount.Contact[4];
    for (int i = 0; i < many.length; i++) {
      many[i] = friend(Jid.of("user" + i + "@example.org"));
    }
    assertRefused(account(Jid.of("romeo@elsewhere.example")));
    assertRefused(account(Jid.of("example.org")));
    assertRefused(account(Jid.of("romeo@example.org/orchard")));
    assertRefused(account(NURSE));
    assertRefused(account(ROMEO, many));
    assertRefused(account(ROMEO, friend(ROMEO)));
    assertRefused(account(ROMEO, friend(JULIET), friend(JULIET)));
    assertRefused(account(ROMEO, friend(Jid.of("juliet@example.org/balcony"))));
    assertRefused(account(ROMEO, new NewAccount.Contact(JULIET, "a".repeat(1_024), Set.of())));
    assertRefused(account(ROMEO, new NewAccount.Contact(JULIET, null, Set.of(""))));
    assertRefused(new NewAccount(ROMEO, "", List.of(), null, Map.of()));
    assertRefused(new NewAccount(ROMEO, "a\nb", List.of(), null, Map.of()));
    assertRefused(with(vcard("a".repeat(2_000_000)), Map.of()));
    assertRefused(with(Element.builder("vcard-temp", "other").build(), Map.of()));
    assertRefused(with(null, Map.of("k".repeat(PluginStore.MOST_KEY + 1), new byte[0])));
    assertRefused(with(null, Map.of("k", new byte[PluginStore.MOST_BYTES + 1])));
    assertThatThrownBy(() -> accounts.create(Collections.nCopies(1_001, account(NURSE))))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(accounts.count("example.org")).isZero();
  }

  private static NewAccount with(@Nullable Element vcard, Map<String, byte[]> values) {
    return new NewAccount(ROMEO, "secret", List.of(), vcard, values);
  }

  private void assertRefused(NewAccount wrong) {
    assertThatThrownBy(() -> accounts.create(List.of(account(NURSE), wrong)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void keysAreDerivedOnceForTheSamePasswordAndForgottenSoon() {
    accounts.create(List.of(account(ROMEO), account(JULIET)));
    accounts.create(List.of(account(NURSE)));
    assertThat(salt(ROMEO)).isEqualTo(salt(JULIET)).isEqualTo(salt(NURSE));
    Jid paris = Jid.of("paris@example.org");
    Jid peter = Jid.of("peter@example.org");
    accounts.create(List.of(new NewAccount(paris, "another", List.of(), null, Map.of())));
    assertThat(salt(paris)).isNotEqualTo(salt(ROMEO));
    server.advance(Duration.ofMinutes(2));
    accounts.create(List.of(new NewAccount(peter, "another", List.of(), null, Map.of())));
    assertThat(salt(peter)).isNotEqualTo(salt(paris));
  }

  private byte[] salt(Jid jid) {
    return keys(jid).getFirst().salt();
  }

  @Test
  void removalEndsSessionsAndTellsContactsWhoStay() {
    accounts.create(
        List.of(
            account(ROMEO, friend(JULIET), friend(NURSE)),
            account(JULIET, friend(ROMEO)),
            account(NURSE, friend(ROMEO))));
    ScriptedClient nurse = login(NURSE, "secret");
    nurse.send(ROSTER);
    nurse.send("<presence/>");
    ScriptedClient romeo = login(ROMEO, "secret");
    romeo.send("<presence/>");
    assertThat(
            accounts.remove(
                List.of(ROMEO, JULIET, JULIET, Jid.of("none@example.org"), Jid.of("a@b.example"))))
        .containsExactly(ROMEO, JULIET);
    romeo.receiveFirst(e -> e.toString().contains("not-authorized"));
    for (String type : List.of("unsubscribed", "unsubscribe")) {
      nurse.receiveFirst(e -> type.equals(e.attribute("type")));
    }
    nurse.send("<iq type='get' id='p'><ping xmlns='urn:xmpp:ping'/></iq>");
    nurse.receiveFirst(e -> "p".equals(e.attribute("id")));
    assertThat(server.stores().rosters().load(NURSE).items())
        .extracting(RosterItem::subscription)
        .containsOnly(Subscription.NONE);
    assertThat(accounts.count("example.org")).isEqualTo(1);
    assertThat(accounts.create(List.of(account(ROMEO), account(JULIET)))).hasSize(2);
  }
}
