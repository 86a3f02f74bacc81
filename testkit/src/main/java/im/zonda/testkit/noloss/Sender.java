package im.zonda.testkit.noloss;

import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ManagedClient;
import im.zonda.testkit.client.ManagedClient.Habits;
import im.zonda.testkit.client.ManagedClient.Outgoing;
import im.zonda.testkit.history.History;
import im.zonda.testkit.history.MessageLedger;
import im.zonda.testkit.relay.TcpRelay;
import im.zonda.testkit.xml.XmlElement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// Sends numbered messages to all receivers in turn, and keeps each until it is acknowledged.
final class Sender implements Runnable, ManagedClient.Listener {
  private static final int BATCH = 10;

  /// What a sender does to its own connection now and then.
  enum Disruption {
    NONE,
    CUT,
    PULL;

    /// One third of the senders does nothing, one third cuts the connection, one third breaks the
    /// network.
    static Disruption ofSender(int index) {
      return switch (index % 3) {
        case 0 -> NONE;
        case 1 -> CUT;
        default -> PULL;
      };
    }
  }

  /// A receiver of messages.
  ///
  /// @param name the receiver's name
  /// @param address the bare or the full address
  record Target(String name, String address) {}

  private final RunState state;
  private final String name;
  private final List<Target> targets;
  private final long[] counts;
  private final Disruption disruption;
  private final SplittableRandom random;
  private final ManagedClient client;
  private final Reconnector connection;
  private final String rest;
  private int nextTarget;

  Sender(
      RunState state,
      String name,
      Login login,
      List<Target> targets,
      Disruption disruption,
      SplittableRandom random,
      @Nullable TcpRelay relay) {
    this.state = state;
    this.name = name;
    this.targets = targets;
    this.counts = new long[targets.size()];
    this.disruption = disruption;
    this.random = random;
    this.client = new ManagedClient(login, new Habits(true, true, 0, ""), this);
    this.connection = new Reconnector(state, login, client, relay, false);
    this.rest = "'><body>" + "x".repeat(state.plan().bodyBytes()) + "</body><origin-id xmlns='";
    this.nextTarget = random.nextInt(targets.size());
  }

  @Override
  public void run() {
    try (connection) {
      while (!state.isOver() && connection.connect(false)) {
        if (work()) {
          return;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// Sends until the connection is lost or everything is done.
  ///
  /// @return whether everything is done
  private boolean work() throws InterruptedException {
    NoLossPlan plan = state.plan();
    long interval = TimeUnit.SECONDS.toNanos(BATCH) * plan.senders() / plan.rate();
    long unrestAt = System.nanoTime() + nextUnrest();
    long due = System.nanoTime();
    while (client.connected() && !state.isOver()) {
      if (state.isCalm()) {
        if (client.awaitRoom(0, Duration.ofMillis(200))) {
          return true;
        }
        continue;
      }
      client.awaitRoom(plan.window() - BATCH, Duration.ofMillis(200));
      if (client.unacknowledged() <= plan.window() - BATCH) {
        client.send(batch());
      }
      long now = System.nanoTime();
      if (disruption != Disruption.NONE && now > unrestAt) {
        breakUp();
      }
      due = Math.max(due + interval, now - TimeUnit.MILLISECONDS.toNanos(200));
      if (due > now) {
        state.pause(TimeUnit.NANOSECONDS.toMillis(due - now));
      }
    }
    return false;
  }

  private long nextUnrest() {
    return TimeUnit.MILLISECONDS.toNanos(random.nextLong(200, 2_000));
  }

  private void breakUp() {
    if (disruption == Disruption.PULL) {
      connection.pull();
    } else {
      client.cut();
    }
  }

  private List<Outgoing> batch() {
    List<Outgoing> batch = new ArrayList<>(BATCH);
    for (int i = 0; i < BATCH; i++) {
      int to = nextTarget;
      nextTarget = (nextTarget + 1) % targets.size();
      History.Key key = new History.Key(name, targets.get(to).name(), ++counts[to]);
      state.ledger().sent(key);
      String id = key.toString();
      batch.add(
          new Outgoing(
              id,
              "<message type='chat' id='"
                  + id
                  + "' to='"
                  + targets.get(to).address()
                  + rest
                  + Receiver.STANZA_IDS
                  + "' id='"
                  + id
                  + "'/></message>"));
    }
    return batch;
  }

  @Override
  public void bound() {
    // The listener is notified of each message of the former session that is sent again.
  }

  @Override
  public void received(XmlElement stanza) {
    if (stanza.localName().equals("message") && "error".equals(stanza.attribute("type"))) {
      History.Key key = History.Key.parse(String.valueOf(stanza.attribute("id")));
      if (key == null) {
        violated("an error for what nobody sent: " + stanza);
      } else {
        state.ledger().refused(key);
      }
    }
  }

  @Override
  public void acknowledged(String id) {
    tell(id, MessageLedger::acknowledged);
  }

  @Override
  public void sentAgain(String id) {
    tell(id, MessageLedger::sentAgain);
  }

  private void tell(String id, BiConsumer<MessageLedger, History.Key> record) {
    History.Key key = History.Key.parse(id);
    if (key != null) {
      record.accept(state.ledger(), key);
    }
  }

  @Override
  public void violated(String how) {
    state.ledger().violated(name + ": " + how);
  }
}
