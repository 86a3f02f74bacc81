package im.zonda.app.noloss;

import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ManagedClient;
import im.zonda.testkit.client.ManagedClient.Habits;
import im.zonda.testkit.client.ManagedClient.Outgoing;
import im.zonda.testkit.client.SocketWire;
import im.zonda.testkit.noloss.NoLossPlan;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Measures how long a client takes to get what has waited during a long absence, and what that
/// costs the packaged server.
///
/// Arguments: an empty folder, the kind of database, the number of messages, the rounds.
final class CatchUpMeasurement {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int BATCH = 100;
  private static final String TEXT = "x".repeat(100);

  private CatchUpMeasurement() {}

  public static void main(String[] arguments) throws Exception {
    Path folder = Files.createDirectories(Path.of(arguments[0]).toAbsolutePath());
    int messages = Integer.parseInt(arguments[2]);
    try (FaultyDatabase database = RunStorage.of(arguments[1]).start();
        KilledServer server =
            new KilledServer(folder, true, database == null ? "" : database.settings())) {
      server.addAccounts(List.of("romeo", "juliet"));
      server.start();
      for (int round = 0; round < Integer.parseInt(arguments[3]); round++) {
        measure(server, messages, true);
        measure(server, messages, false);
      }
    }
    System.exit(0); // the PostgreSQL server's threads
  }

  private static void measure(KilledServer server, int messages, boolean managed)
      throws IOException, InterruptedException {
    send(server, messages);
    CountDownLatch left = new CountDownLatch(messages);
    Habits habits = new Habits(managed, managed, 0, "<presence/>");
    long cpu = cpuMillis();
    long begin = System.nanoTime();
    try (ManagedClient juliet = client("juliet", habits, left)) {
      juliet.connect(SocketWire.connect(server.lives().await()));
      boolean all = left.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      System.out.printf(
          Locale.ROOT,
          "%s: %d messages%s in %d ms, server %d ms CPU%n",
          managed ? "managed" : "unmanaged",
          messages - left.getCount(),
          all ? "" : " of " + messages,
          (System.nanoTime() - begin) / 1_000_000,
          cpuMillis() - cpu);
      juliet.acknowledge();
      juliet.leave();
    }
  }

  private static void send(KilledServer server, int messages)
      throws IOException, InterruptedException {
    try (ManagedClient romeo =
        client("romeo", new Habits(true, true, 0, ""), new CountDownLatch(0))) {
      romeo.connect(SocketWire.connect(server.lives().await()));
      for (int sent = 0; sent < messages; sent += BATCH) {
        List<Outgoing> batch = new ArrayList<>();
        for (int i = 0; i < BATCH; i++) {
          batch.add(
              new Outgoing(
                  "m" + (sent + i),
                  "<message type='chat' id='m"
                      + (sent + i)
                      + "' to='juliet@"
                      + NoLossPlan.DOMAIN
                      + "'><body>"
                      + TEXT
                      + "</body></message>"));
        }
        romeo.awaitRoom(500, PATIENCE);
        romeo.send(batch);
      }
      romeo.awaitRoom(0, PATIENCE);
    }
  }

  private static ManagedClient client(String account, Habits habits, CountDownLatch left) {
    Login login =
        Login.of(account + "@" + NoLossPlan.DOMAIN + "/r", NoLossPlan.PASSWORD)
            .withMechanism("SCRAM-SHA-1")
            .withSecurity(Login.Security.NONE);
    return new ManagedClient(login, habits, new Counting(left));
  }

  /// User and system time of the server: the child process that has used most.
  private static long cpuMillis() {
    return ProcessHandle.current()
        .children()
        .filter(child -> child.info().command().orElse("").endsWith("java"))
        .mapToLong(child -> child.info().totalCpuDuration().orElse(Duration.ZERO).toMillis())
        .max()
        .orElse(0);
  }

  private record Counting(CountDownLatch left) implements ManagedClient.Listener {
    @Override
    public void bound() {}

    @Override
    public void received(XmlElement stanza) {
      if (stanza.localName().equals("message")) {
        left.countDown();
      }
    }

    @Override
    public void acknowledged(String id) {}

    @Override
    public void sentAgain(String id) {}

    @Override
    public void violated(String how) {
      throw new AssertionError(how);
    }
  }
}
