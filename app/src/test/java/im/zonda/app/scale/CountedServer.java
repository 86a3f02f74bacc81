package im.zonda.app.scale;

import im.zonda.app.StandardModules;
import im.zonda.app.ban.BanOperations;
import im.zonda.app.operation.AdminConsole;
import im.zonda.app.operation.ServerOperations;
import im.zonda.app.trace.TraceOperations;
import im.zonda.auth.Passwords;
import im.zonda.config.ServerConfig;
import im.zonda.config.Services.Invitations.Inviters;
import im.zonda.config.Storage;
import im.zonda.config.limits.Limits;
import im.zonda.operation.Caller;
import im.zonda.operation.Operations;
import im.zonda.operation.Outcome;
import im.zonda.runtime.ServerRuntime;
import im.zonda.storage.sql.SqlStores;
import im.zonda.store.ScramKeys;
import im.zonda.testkit.FakeClock;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// A server on filled stores, whose SQL statements are counted, with all operations that list
/// something. Its clock stands still, so that nothing else reads the database.
final class CountedServer implements AutoCloseable {
  private static final Caller OWNER = Caller.owner("root");

  /// The keys of the password of all accounts: few iterations, as many log in.
  private static final List<ScramKeys> KEYS =
      List.of(
          Passwords.derive(
              TestServer.PASSWORD,
              "SHA-256",
              "salt-of-the-test".getBytes(StandardCharsets.US_ASCII),
              4_096));

  final StatementCount statements = new StatementCount();
  final TestServer server;
  final Operations operations;
  private final ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
  private final List<ScriptedClient> clients = new ArrayList<>();

  /// Fills an empty database.
  ///
  /// @param folder of the database, if it is a file
  static void fill(Path folder, Storage storage, Contents.Size size)
      throws IOException, InterruptedException {
    FakeClock clock = new FakeClock(Contents.BEGIN);
    Limits limits = Limits.defaults();
    try (SqlStores stores =
        storage.url().equals(Storage.DEFAULT_URL)
            ? SqlStores.openWithoutSync(folder.resolve("zonda.db"), storage, limits, clock)
            : SqlStores.open(folder, storage, limits, clock)) {
      new Contents(stores, clock, size).fill(KEYS);
    }
    try (CountedServer server = new CountedServer(folder, storage)) {
      server.addRest(size.most());
    }
  }

  /// Starts a server on a database that was filled.
  CountedServer(Path folder, Storage storage) throws IOException {
    FakeClock clock = new FakeClock(Contents.NOW);
    server =
        ServerPlan.of(StandardModules::create)
            .withHosts(Contents.HOST, Contents.OTHER)
            .withData(folder)
            .withClock(clock)
            .with("storage", storage)
            .with("c2s.plaintext", ServerConfig.Plaintext.LOOPBACK)
            .with("services.invitations.accounts", Inviters.EVERYONE)
            .with("limits.invitations", 1_000)
            .withStores(opened -> {
              opened.close();
              return SqlStores.open(folder, storage, Limits.defaults(), clock, statements);
            })
            .startOnSockets();
    ServerRuntime runtime =
        new ServerRuntime(
            clock, clock, () -> UUID.randomUUID().toString(), new SecureRandom(), workers);
    BanOperations.enforce(server.server(), server.stores()::keyValues, runtime);
    TraceOperations.offerAt(
        server.server(), server.stores()::keyValues, server.stores().messages(), runtime);
    ServerOperations administration =
        ServerOperations.over(server.server(), server.stores(), runtime);
    operations = administration.operations();
    AdminConsole _ = AdminConsole.of(server.config(), administration, List::of);
  }

  /// Adds what only operations make, as many as a server may have.
  private void addRest(int most) {
    for (int i = 0; i < most; i++) {
      String name = String.format(Locale.ROOT, "%04d", i);
      done("ban.add", Map.of("network", "198.51." + i / 250 + "." + i % 250));
      done("token.create", Map.of("name", "token" + name, "role", "read-only"));
      done("invitation.create", Map.of("host", Contents.HOST));
      done("invitation.create", Map.of("host", Contents.HOST, "inviter", Contents.MAIN.toString()));
      done("circle.create", Map.of("host", Contents.HOST, "circle", "circle" + name));
    }
  }

  /// Logs in accounts, the first of which enter rooms.
  ///
  /// @param rooms how many rooms somebody enters
  void logIn(int accounts, int rooms) {
    for (int i = 0; i < accounts; i++) {
      ScriptedClient client =
          server.login(
              Login.of(Contents.account(i) + "/phone", TestServer.PASSWORD)
                  .withSecurity(Login.Security.NONE)
                  .withMechanism("PLAIN"));
      clients.add(client);
      client.send("<presence/>");
      for (int room = i; room < rooms; room += accounts) {
        client.send(
            "<presence to='%s/nick%d'><x xmlns='http://jabber.org/protocol/muc'/></presence>"
                .formatted(Contents.room(room), i));
      }
      client.fence("ready");
    }
  }

  /// Runs an operation and returns its result.
  Record done(String operation, Map<String, ?> given) {
    Outcome<?> outcome = operations.run(OWNER, operation, given);
    if (outcome instanceof Outcome.Done<?>(Record result)) {
      return result;
    }
    throw new AssertionError(operation + " " + given + ": " + outcome);
  }

  @Override
  public void close() {
    clients.forEach(ScriptedClient::disconnect);
    server.close();
    workers.close();
  }
}
