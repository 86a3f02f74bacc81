package im.zonda.app.load.session;

import im.zonda.app.load.client.ConcurrentSteps;
import im.zonda.app.load.client.LoadClient;
import im.zonda.app.load.client.ManagedLoadClient;
import im.zonda.app.load.client.StampScanner;
import im.zonda.app.load.measure.Rate;
import im.zonda.app.load.options.ManagedOptions;
import im.zonda.app.load.options.OptionPairs;
import java.io.IOException;
import java.io.PrintStream;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// Clients of one node of a cluster get messages from clients of another one, and their node is
/// killed. They come back at the other node, resume their sessions or begin new ones, and what the
/// senders' server has acknowledged and they do not get is lost. Works with every server.
public final class NodeLoss {
  /// Where the senders are, and further options of the load.
  public static final String USAGE =
      """
      loss: --others 127.0.0.2:5222
            --host, --port and --pid are those of the node that is killed, b0 b1 … the accounts of
            its clients, a0 a1 … those that send to them from the other node
      """;

  /// How long the last messages are waited for.
  private static final long PATIENCE_MILLIS = 60_000;

  private static final String REQUEST = "<r xmlns='" + LoadClient.SM + "'/>";

  private record Session(String id, ManagedLoadClient client) {}

  private final ManagedOptions options;
  private final OtherNodes others;
  private final Map<String, byte[]> passwords = new ConcurrentHashMap<>();
  private final List<Session> receivers = new ArrayList<>();
  private final List<ManagedLoadClient> senders = new ArrayList<>();
  private final Set<Long> acknowledged = ConcurrentHashMap.newKeySet();
  private final Map<Long, Integer> arrived = new ConcurrentHashMap<>();
  private final AtomicInteger fresh = new AtomicInteger();
  private volatile long lastLate;

  private NodeLoss(ManagedOptions options, OtherNodes others) {
    this.options = options;
    this.others = others;
  }

  /// Runs the load and prints what was lost.
  ///
  /// @throws IOException if a node cannot be reached
  /// @throws IllegalArgumentException if an option is wrong
  public static void run(List<String> args, PrintStream out) throws IOException {
    OptionPairs own = new OptionPairs(args, Map.of("others", ""));
    OtherNodes others = OtherNodes.parse(own.text("others"), USAGE);
    new NodeLoss(ManagedOptions.parse(own.others()), others).run(out);
  }

  private void run(PrintStream out) throws IOException {
    for (int i = 0; i < options.load().pairs(); i++) {
      LoadClient receiver = LoadClient.connect(options.load());
      receivers.add(begin(receiver.authenticate("b" + i, passwords)));
      LoadClient sender = LoadClient.connect(options.load().at(others.first()));
      sender.authenticate("a" + i, passwords).bind("load").enable(true);
      senders.add(new ManagedLoadClient(sender, new Sent()).listen().available());
    }
    Rate.pause(1_000); // the last presence
    CompletableFuture<String> killed = new CompletableFuture<>();
    long kill = System.nanoTime() + TimeUnit.SECONDS.toNanos(options.load().seconds()) / 3;
    Thread.ofPlatform()
        .name("failure")
        .start(() -> {
          Rate.pause(TimeUnit.NANOSECONDS.toMillis(kill - System.nanoTime()));
          killed.complete(failure());
        });
    int sent = chat();
    out.println("back at another node: " + killed.join() + "; begun again: " + fresh);
    awaitRest();
    report(sent, kill, out);
    senders.forEach(ManagedLoadClient::close);
    receivers.forEach(each -> each.client().close());
  }

  private Session begin(LoadClient client) throws IOException {
    client.bind("load");
    String id = client.enable(true);
    return new Session(id, new ManagedLoadClient(client, new Received()).listen().available());
  }

  private int chat() throws IOException {
    Rate rate = new Rate(options.load().rate());
    long until = rate.start() + TimeUnit.SECONDS.toNanos(options.load().seconds());
    int sent = 0;
    for (long due = rate.next(); due < until; due = rate.next()) {
      int turn = sent++ % senders.size();
      String digits = Long.toString(due);
      String stamp = "0".repeat(StampScanner.DIGITS - digits.length()) + digits;
      String to = "b" + turn + "@" + options.load().domain() + "/load";
      String message =
          "<message type='chat' to='" + to + "'><body>~" + stamp + "</body></message>" + REQUEST;
      senders.get(turn).send(message.getBytes(StandardCharsets.US_ASCII), due);
    }
    return sent;
  }

  private String failure() {
    NodeFailure.kill(options.load().pid());
    int concurrency = options.concurrency();
    return new ConcurrentSteps(receivers.size(), concurrency).all(this::comeBack).toString();
  }

  private void comeBack(int number) throws IOException {
    Session session = receivers.get(number);
    session.client().client().awaitEnd();
    LoadClient client = LoadClient.connect(options.load().at(others.of(number)));
    try {
      client.authenticate("b" + number, passwords);
      receivers.set(number, comeBack(session, client));
    } catch (IOException e) {
      client.cut();
      throw e;
    }
  }

  private Session comeBack(Session session, LoadClient client) throws IOException {
    long handled;
    try {
      handled = client.resume(session.id(), session.client().received());
    } catch (SocketException e) {
      fresh.incrementAndGet();
      return begin(client); // the session has ended, and the stream stays open
    }
    return new Session(session.id(), session.client().resumedOn(client, handled).listen());
  }

  private void awaitRest() {
    for (long waited = 0; waited < PATIENCE_MILLIS && lost() > 0; waited += 100) {
      Rate.pause(100);
    }
  }

  private long lost() {
    return acknowledged.stream().filter(each -> !arrived.containsKey(each)).count();
  }

  private void report(int sent, long kill, PrintStream out) {
    long twice = arrived.values().stream().filter(times -> times > 1).count();
    out.printf(
        Locale.ROOT,
        "sent %d, acknowledged %d, of these lost %d; arrived more than once %d; the last one that"
            + " took more than a second came %.1f s after the kill%n",
        sent,
        acknowledged.size(),
        lost(),
        twice,
        Math.max(0, lastLate - kill) / 1e9);
  }

  private final class Sent implements ManagedLoadClient.Times {
    @Override
    public void arrived(long due) {}

    @Override
    public void acknowledged(long due) {
      if (due != 0) {
        acknowledged.add(due);
      }
    }
  }

  private final class Received implements ManagedLoadClient.Times {
    @Override
    public void arrived(long due) {
      arrived.merge(due, 1, Integer::sum);
      long now = System.nanoTime();
      if (now - due > TimeUnit.SECONDS.toNanos(1)) {
        lastLate = now;
      }
    }

    @Override
    public void acknowledged(long due) {}
  }
}
