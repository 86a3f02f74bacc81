package im.zonda.app.load.session;

import im.zonda.app.load.chat.ManagedChat;
import im.zonda.app.load.client.ConcurrentSteps;
import im.zonda.app.load.client.LoadClient;
import im.zonda.app.load.client.ManagedLoadClient;
import im.zonda.app.load.measure.Rate;
import im.zonda.app.load.options.ManagedOptions;
import im.zonda.app.load.options.OptionPairs;
import java.io.IOException;
import java.io.PrintStream;
import java.net.SocketException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;

/// A node of a cluster is killed. Its clients resume their sessions at the other nodes, while pairs
/// of other clients chat there.
public final class NodeFailure {
  /// The other nodes, and how many sessions an account has, with further options of the load.
  public static final String USAGE =
      """
      failure: --others 127.0.0.2:5222,127.0.0.3:5222 --resources 10 (sessions of an account)
               --host, --port and --pid are those of the node that is killed, s0 s1 … the accounts
               of its clients, a0 b0 … those that chat at the other nodes: --resumable on
      """;

  private static final long SETTLE_MILLIS = 5_000;

  private record Session(String id, ManagedLoadClient client) {}

  private final ManagedOptions options;
  private final OtherNodes others;
  private final int resources;
  private final Map<String, byte[]> passwords = new ConcurrentHashMap<>();
  private final AtomicReferenceArray<Session> sessions;
  private final AtomicInteger fresh = new AtomicInteger();

  private NodeFailure(ManagedOptions options, OtherNodes others, int resources) {
    this.options = options;
    this.others = others;
    this.resources = resources;
    this.sessions = new AtomicReferenceArray<>(options.sessions());
  }

  /// Runs the load and prints what was measured.
  ///
  /// @throws IOException if a node cannot be reached
  /// @throws IllegalArgumentException if an option is wrong
  public static void run(List<String> args, PrintStream out) throws IOException {
    OptionPairs own = new OptionPairs(args, Map.of("others", "", "resources", "10"));
    OtherNodes others = OtherNodes.parse(own.text("others"), USAGE);
    new NodeFailure(ManagedOptions.parse(own.others()), others, own.number("resources")).run(out);
  }

  private void run(PrintStream out) throws IOException {
    ConcurrentSteps crowd = new ConcurrentSteps(options.sessions(), options.concurrency());
    out.println("logged in: " + crowd.all(this::logIn));
    ManagedOptions chatting = options.withLoad(options.load().at(others.first()));
    try (ManagedChat chat = ManagedChat.connect(chatting, passwords)) {
      CompletableFuture<ManagedChat.Report> report = new CompletableFuture<>();
      Thread.ofPlatform().name("chat").start(() -> chat(chat, report));
      Rate.pause(options.load().warmup() * 1_000L + SETTLE_MILLIS);
      kill(options.load().pid());
      out.println("resumed elsewhere: " + crowd.all(this::resume));
      out.println("begun again: " + fresh.get());
      out.println("others meanwhile: " + report.join());
    } catch (CompletionException e) {
      throw new IOException(e.getCause());
    }
    for (int i = 0; i < sessions.length(); i++) {
      Session session = sessions.get(i);
      if (session != null) {
        session.client().close();
      }
    }
  }

  private static void chat(ManagedChat chat, CompletableFuture<ManagedChat.Report> report) {
    try {
      report.complete(chat.run());
    } catch (IOException | RuntimeException e) {
      report.completeExceptionally(e);
    }
  }

  /// Ends a process at once.
  static void kill(long pid) {
    ProcessHandle.of(pid)
        .orElseThrow(() -> new IllegalArgumentException("no process " + pid))
        .destroyForcibly();
  }

  private void logIn(int number) throws IOException {
    LoadClient client = LoadClient.connect(options.load());
    begin(number, client.authenticate(user(number), passwords));
  }

  private void begin(int number, LoadClient client) throws IOException {
    client.bind("r" + number % resources);
    String id = client.enable(true);
    ManagedLoadClient managed = new ManagedLoadClient(client, new Ignored());
    sessions.set(number, new Session(id, managed.listen().available()));
  }

  private String user(int number) {
    return "s" + number / resources;
  }

  /// Resumes the session at another node, or begins another one if that fails.
  private void resume(int number) throws IOException {
    Session session = sessions.get(number);
    if (session == null) {
      throw new IOException("never logged in");
    }
    session.client().client().awaitEnd();
    LoadClient client = LoadClient.connect(options.load().at(others.of(number)));
    try {
      client.authenticate(user(number), passwords);
      resume(number, session, client);
    } catch (IOException e) {
      client.cut();
      throw e;
    }
  }

  private void resume(int number, Session session, LoadClient client) throws IOException {
    long handled;
    try {
      handled = client.resume(session.id(), session.client().received());
    } catch (SocketException e) {
      begin(number, client); // it has ended, and the stream stays open
      fresh.incrementAndGet();
      return;
    }
    ManagedLoadClient managed = session.client().resumedOn(client, handled);
    sessions.set(number, new Session(session.id(), managed.listen()));
  }

  private static final class Ignored implements ManagedLoadClient.Times {
    @Override
    public void arrived(long due) {}

    @Override
    public void acknowledged(long due) {}
  }
}
