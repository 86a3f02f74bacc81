package im.zonda.testkit.noloss;

import im.zonda.testkit.client.ArchiveReader;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.client.SocketWire;
import im.zonda.testkit.history.History;
import im.zonda.testkit.history.LedgerReport;
import im.zonda.testkit.history.MessageLedger;
import im.zonda.testkit.relay.TcpRelay;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/// All clients of a run, from the first login to the report. The caller calls [#start], kills and
/// restarts the server, and calls [#finish] with the server ready.
public final class NoLossClients implements AutoCloseable {
  private static final int ARCHIVE_PAGE = 250;

  /// How clients got their sessions.
  ///
  /// @param resumed connections that resumed a session
  /// @param bound connections that intended to bind a new session
  /// @param boundAnew connections that had to bind a new session because the former was gone
  public record Connections(long resumed, long bound, long boundAnew) {}

  private final NoLossPlan plan;
  private final RunState state;
  private final SplittableRandom random;
  private final Map<String, Login> logins = new HashMap<>();
  private final List<Thread> senders = new ArrayList<>();
  private final List<Thread> receivers = new ArrayList<>();

  /// Creates the clients; [#start] connects them.
  public NoLossClients(NoLossPlan plan, ServerLives lives, MessageLedger ledger) {
    this(plan, lives, lives, ledger);
  }

  /// Creates the clients of two servers; [#start] connects them.
  public NoLossClients(
      NoLossPlan plan, ServerLives senders, ServerLives receivers, MessageLedger ledger) {
    this.plan = plan;
    this.state = new RunState(plan, senders, receivers, ledger);
    this.random = new SplittableRandom(plan.seed());
  }

  /// Whether the server has archives: queried with a separate login as `account`.
  ///
  /// @throws IOException if the query fails
  public static boolean hasArchive(ServerLives lives, String account)
      throws IOException, InterruptedException {
    Login login = Login.of(account + "@" + NoLossPlan.DOMAIN + "/probe", NoLossPlan.PASSWORD);
    try (ScriptedClient client =
        new ScriptedClient(SocketWire.connect(lives.await())).login(login)) {
      return new ArchiveReader(client, ARCHIVE_PAGE).offered();
    }
  }

  /// Starts the load: receivers and senders connect.
  ///
  /// @throws IOException if no relay can be opened
  public void start() throws IOException {
    for (ReceiverKind kind : plan.kinds()) {
      if (kind != ReceiverKind.AWAY) {
        startReceivers(kind);
      }
    }
    List<Sender.Target> targets = targets();
    for (String name : plan.senderNames()) {
      Sender.Disruption disruption = Sender.Disruption.ofSender(senders.size());
      Login login = login(name, plan.direction().senders(), "s");
      TcpRelay relay = disruption == Sender.Disruption.PULL ? relay(login) : null;
      senders.add(
          Thread.ofVirtual()
              .name(name)
              .start(new Sender(state, name, login, targets, disruption, random.split(), relay)));
    }
  }

  /// Waits until there have been as many connections as there are clients, so that the run does not
  /// consist of the slow first logins only.
  ///
  /// @return false after a timeout
  public boolean awaitConnected(Duration patience) throws InterruptedException {
    long end = System.nanoTime() + patience.toNanos();
    while (state.bound().sum() < senders.size() + receivers.size()) {
      if (System.nanoTime() > end) {
        return false;
      }
      state.rest(20);
    }
    return true;
  }

  private void startReceivers(ReceiverKind kind) throws IOException {
    for (String name : plan.receiverNames(kind)) {
      if (kind == ReceiverKind.TWIN) {
        startReceiver(ReceiverKind.STEADY, receiver(name, "one"), false);
        startReceiver(ReceiverKind.RESTLESS, receiver(name, "other"), false);
      } else {
        startReceiver(kind, receiver(name, "r"), true);
      }
    }
  }

  private void startReceiver(ReceiverKind kind, Login login, boolean onlyDevice)
      throws IOException {
    TcpRelay relay = kind == ReceiverKind.FROZEN ? relay(login) : null;
    receivers.add(
        Thread.ofVirtual()
            .name(login.jid())
            .start(new Receiver(state, kind, login, onlyDevice, random.split(), relay)));
  }

  private TcpRelay relay(Login login) throws IOException {
    ServerLives lives = state.lives(login.domain());
    return new TcpRelay(() -> {
      var address = lives.now();
      if (address == null) {
        throw new IllegalStateException("the server is away");
      }
      return address;
    });
  }

  /// The address for messages: bare JIDs, except for every fourth receiver with one resource, which
  /// gets them at its full JID.
  private List<Sender.Target> targets() {
    List<Sender.Target> targets = new ArrayList<>();
    for (ReceiverKind kind : plan.kinds()) {
      for (String name : plan.receiverNames(kind)) {
        boolean full = kind != ReceiverKind.TWIN && targets.size() % 4 == 0;
        String address = name + "@" + plan.direction().receivers();
        targets.add(new Sender.Target(name, full ? address + "/r" : address));
      }
    }
    return List.copyOf(targets);
  }

  private Login receiver(String name, String resource) {
    return login(name, plan.direction().receivers(), resource);
  }

  /// Every third account uses TLS if not all do; TLS for all would cost too much.
  private Login login(String name, String domain, String resource) {
    Login.Security security =
        plan.tls() || logins.size() % 3 == 0 ? Login.Security.STARTTLS : Login.Security.NONE;
    Login account =
        logins.computeIfAbsent(
            name,
            _ ->
                Login.of(name + "@" + domain, NoLossPlan.PASSWORD)
                    .withSecurity(security)
                    .withMechanism("SCRAM-SHA-1")
                    .withKeptKeys());
    return account.at(resource);
  }

  /// How clients got their sessions so far.
  public Connections connections() {
    return new Connections(state.resumed().sum(), state.bound().sum(), state.boundAnew().sum());
  }

  /// Ends the load.
  public void calm() {
    state.calm();
  }

  /// Ends the load and waits until all that was sent is acknowledged.
  ///
  /// @param patience timeout for each sender; a timeout is recorded as a violation
  public void awaitAcknowledgements(Duration patience) throws InterruptedException {
    state.calm();
    for (Thread sender : senders) {
      if (!sender.join(patience)) {
        state.ledger().violated(sender.getName() + " did not receive its acknowledgements");
      }
    }
  }

  /// Ends the run: senders wait for their last acknowledgements, absent receivers connect, all
  /// receivers read what is left, and the archives are read. The server must be ready and stay
  /// ready.
  ///
  /// @param patience timeout of each step; a timeout is recorded as a violation
  /// @return the report
  public LedgerReport finish(Duration patience) throws InterruptedException {
    MessageLedger ledger = state.ledger();
    awaitAcknowledgements(patience);
    try {
      startReceivers(ReceiverKind.AWAY);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    awaitArrivals(patience);
    state.over();
    for (Thread receiver : receivers) {
      if (!receiver.join(patience)) {
        ledger.violated(receiver.getName() + " does not end");
      }
    }
    if (plan.archive()) {
      readArchives();
    }
    return ledger.report();
  }

  /// Waits until nothing is missing or nothing more arrives, and then a little longer for
  /// duplicates. A server may pause longer before it connects to another one.
  private void awaitArrivals(Duration patience) throws InterruptedException {
    long end = System.nanoTime() + patience.toNanos();
    int longest = plan.direction().equals(NoLossPlan.Direction.LOCAL) ? 50 : 350;
    int quiet = 0;
    long before = -1;
    while (System.nanoTime() < end) {
      state.rest(100);
      long now = state.ledger().arrivals();
      quiet = now == before ? quiet + 1 : 0;
      before = now;
      if (quiet >= 20 && (quiet >= longest || missing() == 0)) {
        return;
      }
    }
    state.ledger().violated("messages still arrive after " + patience);
  }

  /// What some client will get. Clients without stream management find in the archive what was lost
  /// on the way to them.
  private long missing() {
    return plan.kinds().stream()
        .filter(kind -> kind != ReceiverKind.UNMANAGED)
        .flatMap(kind -> plan.receiverNames(kind).stream())
        .mapToLong(state.ledger()::missing)
        .sum();
  }

  private void readArchives() throws InterruptedException {
    List<Thread> readers = new ArrayList<>();
    for (ReceiverKind kind : plan.kinds()) {
      for (String name : plan.receiverNames(kind)) {
        readers.add(Thread.ofVirtual().start(() -> readArchive(name)));
      }
    }
    for (Thread reader : readers) {
      reader.join();
    }
  }

  private void readArchive(String name) {
    MessageLedger ledger = state.ledger();
    Login login = receiver(name, "archive");
    login = plan.tls() ? login : login.withSecurity(Login.Security.NONE);
    ServerLives lives = state.lives(login.domain());
    try (ScriptedClient client =
        new ScriptedClient(SocketWire.connect(lives.await())).login(login)) {
      int reading = ledger.archive(name);
      new ArchiveReader(client, ARCHIVE_PAGE)
          .readAll((id, message) -> archived(reading, id, message));
    } catch (IOException | UncheckedIOException | AssertionError e) {
      ledger.violated("the archive of " + name + " cannot be read: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void archived(int reading, String id, XmlElement message) {
    History.Key key = History.Key.parse(String.valueOf(message.attribute("id")));
    if (key == null) {
      state.ledger().violated("an archived message that nobody sent: " + message);
    } else {
      state.ledger().arrived(reading, key, id);
    }
  }

  /// Stops all clients immediately.
  @Override
  public void close() {
    state.over();
  }
}
