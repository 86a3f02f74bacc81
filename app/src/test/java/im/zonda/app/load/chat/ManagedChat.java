package im.zonda.app.load.chat;

import im.zonda.app.load.client.LoadClient;
import im.zonda.app.load.client.ManagedLoadClient;
import im.zonda.app.load.client.StampScanner;
import im.zonda.app.load.measure.LatencyHistogram;
import im.zonda.app.load.measure.ProcessCpu;
import im.zonda.app.load.measure.Rate;
import im.zonda.app.load.options.LoadOptions;
import im.zonda.app.load.options.ManagedOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// Pairs of clients with stream management that chat at a fixed rate and request acknowledgements.
/// Measures the time to delivery and the time to acknowledgement.
public final class ManagedChat implements AutoCloseable {
  private static final String REQUEST = "<r xmlns='" + LoadClient.SM + "'/>";
  private static final long AFTERWARDS_MILLIS = 10_000;

  /// The result.
  ///
  /// @param sent messages that were due in the measured time
  /// @param delivery from due to arrived
  /// @param acknowledgement from due to acknowledged
  /// @param serverMicros the server's processor time per message; NaN if unknown
  /// @param wrong senders for which the server acknowledged more than they had sent
  public record Report(
      long sent,
      int seconds,
      LatencyHistogram delivery,
      LatencyHistogram acknowledgement,
      double serverMicros,
      long wrong) {
    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "sent %d (%.0f/s), delivered %d: %s; acknowledged %d: %s; server CPU %.1f us/message%s",
          sent,
          (double) sent / seconds,
          delivery.count(),
          delivery,
          acknowledgement.count(),
          acknowledgement,
          serverMicros,
          wrong == 0 ? "" : "; " + wrong + " SENDERS WITH A COUNT TOO HIGH");
    }
  }

  /// A sender, and its message up to the stamp.
  private record Pair(ManagedLoadClient sender, String start) {}

  private final ManagedOptions options;
  private final List<ManagedLoadClient> clients = new ArrayList<>();
  private final List<Pair> pairs = new ArrayList<>();
  private volatile LatencyHistogram delivery = new LatencyHistogram(0, 0);
  private volatile LatencyHistogram acknowledgement = new LatencyHistogram(0, 0);

  private ManagedChat(ManagedOptions options) {
    this.options = options;
  }

  /// Logs all pairs in.
  ///
  /// @throws IOException if the server cannot be reached or a login fails
  public static ManagedChat connect(ManagedOptions options, Map<String, byte[]> passwords)
      throws IOException {
    ManagedChat chat = new ManagedChat(options);
    LoadOptions receivers = options.load().ofReceivers();
    for (int i = 0; i < options.load().pairs(); i++) {
      ManagedLoadClient sender = chat.client("a" + i, options.load(), passwords);
      chat.client("b" + i, receivers, passwords);
      String start = "<message type='chat' to='b" + i + "@" + receivers.domain() + "/load'><body>~";
      chat.pairs.add(new Pair(sender, start));
    }
    return chat;
  }

  private ManagedLoadClient client(String user, LoadOptions server, Map<String, byte[]> passwords)
      throws IOException {
    LoadClient client = LoadClient.connect(server);
    client.authenticate(user, passwords).bind("load");
    if (options.managed()) {
      client.enable(options.resumable());
    }
    ManagedLoadClient managed = new ManagedLoadClient(client, new Heard());
    clients.add(managed);
    return managed.listen().available();
  }

  /// Chats for the configured time, then waits for messages that are still in flight.
  public Report run() throws IOException {
    LoadOptions load = options.load();
    String end =
        "x".repeat(Math.max(0, load.bytes() - StampScanner.DIGITS - 1)) + "</body></message>";
    String asking = end + REQUEST;
    Rate rate = new Rate(load.rate());
    long from = rate.start() + TimeUnit.SECONDS.toNanos(load.warmup());
    long until = from + TimeUnit.SECONDS.toNanos(load.seconds());
    delivery = new LatencyHistogram(from, until);
    acknowledgement = new LatencyHistogram(from, until);
    ProcessCpu cpu = load.cpu();
    long cpuBefore = 0;
    long sent = 0;
    int turn = 0;
    for (long due = rate.next(); due < until; due = rate.next()) {
      if (due >= from && sent++ == 0 && cpu != null) {
        cpuBefore = cpu.micros();
      }
      Pair pair = pairs.get(turn % pairs.size());
      boolean asks = options.ask() > 0 && turn / pairs.size() % options.ask() == 0;
      String last = options.managed() && asks ? asking : end;
      byte[] stanza = (pair.start() + stamp(due) + last).getBytes(StandardCharsets.US_ASCII);
      if (options.managed()) {
        pair.sender().send(stanza, due);
      } else {
        pair.sender().client().send(stanza);
      }
      turn++;
    }
    boolean all = options.managed() && options.ask() == 1;
    awaitRest(sent, all ? sent : 0);
    double micros =
        cpu == null ? Double.NaN : (double) (cpu.micros() - cpuBefore) / Math.max(1, sent);
    long wrong = clients.stream().filter(ManagedLoadClient::wrong).count();
    return new Report(sent, load.seconds(), delivery, acknowledgement, micros, wrong);
  }

  private void awaitRest(long delivered, long acknowledged) {
    for (long waited = 0; waited < AFTERWARDS_MILLIS; waited += 5) {
      if (delivery.count() >= delivered && acknowledgement.count() >= acknowledged) {
        return;
      }
      Rate.pause(5);
    }
  }

  private static String stamp(long due) {
    String digits = Long.toString(due);
    return "0".repeat(StampScanner.DIGITS - digits.length()) + digits;
  }

  @Override
  public void close() {
    clients.forEach(ManagedLoadClient::close);
  }

  private final class Heard implements ManagedLoadClient.Times {
    @Override
    public void arrived(long due) {
      delivery.record(due);
    }

    @Override
    public void acknowledged(long due) {
      acknowledgement.record(due);
    }
  }
}
