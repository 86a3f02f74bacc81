package im.zonda.bench.scenario.chat;

import im.zonda.bench.load.Load;
import im.zonda.bench.load.LoginRamp;
import im.zonda.bench.load.Waiting;
import im.zonda.bench.xmpp.ElementListener;
import im.zonda.bench.xmpp.XmppClient;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Users who are online and read nothing from their sockets, and one of them who reads and sends
/// messages to the others all the time: those of this process.
final class SlowReaders implements AutoCloseable {
  /// The counter of messages to them.
  static final String FED = "fed";

  /// The counter of those whose connections the server has ended.
  static final String ENDED = "slow-ended";

  private static final int BODY = 1_000;

  private final Load load;
  private final Map<Integer, XmppClient> readers;
  private final @Nullable XmppClient feeder;
  private volatile boolean over;

  private SlowReaders(Load load, Map<Integer, XmppClient> readers, @Nullable XmppClient feeder) {
    this.load = load;
    this.readers = readers;
    this.feeder = feeder;
  }

  /// Logs them in, if there are any, and begins to send.
  ///
  /// @param from the number of the first one
  /// @param to the number after the last one
  /// @param rate messages a second to all of them together, of all processes
  /// @throws IOException if one of them is not let in
  static SlowReaders login(Load load, int from, int to, double rate)
      throws IOException, InterruptedException {
    if (from == to) {
      return new SlowReaders(load, Map.of(), null);
    }
    Map<Integer, XmppClient> online =
        new TreeMap<>(
            LoginRamp.of(load)
                .login(
                    from, to, client -> LoginRamp.user(load, client), _ -> ElementListener.NONE));
    if (online.size() < 2) {
      throw new IOException("slow readers need two users of a process: one sends to the others");
    }
    int first = online.keySet().iterator().next();
    XmppClient feeder = Objects.requireNonNull(online.remove(first));
    SlowReaders slow = new SlowReaders(load, online, feeder);
    online
        .values()
        .forEach(client -> {
          client.stopReading();
          var _ = client.ended().thenAccept(_ -> slow.ended());
        });
    double share = rate * online.size() / Math.max(1, to - from - 1);
    var _ = Thread.ofPlatform().name("bench-feeder").daemon().start(() -> slow.feed(feeder, share));
    return slow;
  }

  private void ended() {
    if (!over) {
      load.counters().add(ENDED, 1);
    }
  }

  private void feed(XmppClient sender, double rate) {
    List<String> addresses = readers.values().stream().map(XmppClient::address).toList();
    String text = "'><body>" + "x".repeat(BODY) + "</body></message>";
    long begin = System.nanoTime();
    try {
      for (long sent = 0; !over && !sender.ended().isDone(); sent++) {
        Waiting.until(begin + (long) (sent / rate * TimeUnit.SECONDS.toNanos(1)));
        String to = addresses.get((int) (sent % addresses.size()));
        sender.send("<message type='chat' to='" + to + text);
        load.counters().add(FED, 1);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    over = true;
    readers.values().forEach(XmppClient::cut);
    if (feeder != null) {
      feeder.close();
    }
  }
}
