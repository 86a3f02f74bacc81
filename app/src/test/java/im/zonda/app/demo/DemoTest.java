package im.zonda.app.demo;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.auth.Passwords;
import im.zonda.jid.Jid;
import im.zonda.store.Account;
import im.zonda.store.AccountStore;
import im.zonda.store.RosterItem;
import im.zonda.store.ScramKeys;
import im.zonda.store.Subscription;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.database.Eventually;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The people of the demo have accounts soon, arrive, and say how many of them are there.
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class DemoTest {
  private static TestServer server() throws Exception {
    return ServerPlan.of(StandardModules::create).withHosts("localhost").startOnSockets();
  }

  private static Account account(AccountStore accounts, String user) {
    return Objects.requireNonNull(accounts.find(Jid.of(user, "localhost", null)));
  }

  private static List<String> salts(Account account) {
    return account.keys().stream().map(ScramKeys::salt).map(HexFormat.of()::formatHex).toList();
  }

  @Test
  void theKeysOfThePasswordAreDerivedOnceForAll() throws Exception {
    try (TestServer server = server()) {
      AccountStore accounts = server.stores().accounts();

      DemoSettings.createAccounts(accounts);

      Account visitor = account(accounts, DemoTown.VISITOR);
      assertThat(Passwords.matches(visitor, DemoTown.PASSWORD)).isTrue();
      assertThat(salts(visitor)).hasSize(Passwords.HASHES.size()).doesNotHaveDuplicates();
      assertThat(DemoTown.users())
          .hasSize(21)
          .allSatisfy(user -> assertThat(salts(account(accounts, user))).isEqualTo(salts(visitor)));
    }
  }

  @Test
  void anEarlierDemoKeepsItsAccounts() throws Exception {
    try (TestServer server = server()) {
      AccountStore accounts = server.stores().accounts();
      DemoSettings.createAccounts(accounts);
      List<String> before = salts(account(accounts, "ada"));

      DemoSettings.createAccounts(accounts);

      assertThat(salts(account(accounts, "ada"))).isEqualTo(before);
    }
  }

  private static List<RosterItem> contacts(TestServer server, Jid owner) {
    return server.stores().rosters().load(owner).items();
  }

  @Test
  void peopleArriveAndBecomeContacts() throws Exception {
    try (TestServer server = server()) {
      DemoSettings.createAccounts(server.stores().accounts());
      int port = server.address(Login.Security.DIRECT_TLS).getPort();
      BlockingQueue<String> lines = new LinkedBlockingQueue<>();
      DemoTown town = new DemoTown(port, "localhost", "rooms.localhost", new Random(1), lines::add);

      Thread people = Thread.ofVirtual().start(town::live);

      try {
        assertThat(lines.take()).isEqualTo("5 of 20 people are here");
        assertThat(lines.take()).isEqualTo("10 of 20 people are here");
        assertThat(lines.take()).isEqualTo("15 of 20 people are here");
        assertThat(lines.take()).isEqualTo("20 of 20 people are here");
        Jid visitor = Jid.of(DemoTown.VISITOR, "localhost", null);
        Eventually.await(
            "everyone is a contact",
            () ->
                contacts(server, visitor).stream()
                        .filter(each -> each.subscription() == Subscription.BOTH)
                        .count()
                    == 20);
        assertThat(contacts(server, visitor))
            .allSatisfy(contact -> {
              assertThat(contact.name()).contains(" ");
              assertThat(contact.groups()).hasSize(1);
            });
      } finally {
        people.interrupt();
        people.join();
      }
    }
  }
}
