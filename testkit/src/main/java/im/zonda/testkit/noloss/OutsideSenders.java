package im.zonda.testkit.noloss;

import im.zonda.testkit.client.Login;
import im.zonda.testkit.history.MessageLedger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/// Clients of a run that send to addresses that are none of the server's users, such as users of
/// another server or a component. Who receives, tells the ledger.
public final class OutsideSenders implements AutoCloseable {
  private static final NoLossPlan.Direction DIRECTION =
      new NoLossPlan.Direction("out", NoLossPlan.DOMAIN, NoLossPlan.DOMAIN);

  private static final int SENDERS = 4;
  private static final int MOST_RATE = 200;
  private static final int WINDOW = 60;

  private final NoLossPlan plan;
  private final RunState state;
  private final List<Sender.Target> targets;
  private final List<Thread> threads = new ArrayList<>();

  /// Senders that have not begun. Half of them cut their connections now and then.
  ///
  /// @param like what chance is made from, whether all use TLS, and ten times the rate
  /// @param lives the server
  /// @param addresses where they send, by the receiver's name in the ledger
  public OutsideSenders(
      NoLossPlan like, ServerLives lives, MessageLedger ledger, Map<String, String> addresses) {
    int rate = Math.min(MOST_RATE, like.rate() / 10);
    this.plan =
        new NoLossPlan(like.seed(), SENDERS, 0, rate, WINDOW, 100, false, DIRECTION, like.tls());
    this.state = new RunState(plan, lives, lives, ledger);
    this.targets =
        addresses.entrySet().stream()
            .map(each -> new Sender.Target(each.getKey(), each.getValue()))
            .toList();
  }

  /// The accounts that they use.
  public static List<String> accounts() {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < SENDERS; i++) {
      names.add(DIRECTION.prefix() + "s" + i);
    }
    return names;
  }

  /// Starts the load.
  public void start() {
    SplittableRandom random = new SplittableRandom(plan.seed() + 1);
    for (String name : plan.senderNames()) {
      Sender.Disruption disruption =
          threads.size() % 2 == 0 ? Sender.Disruption.NONE : Sender.Disruption.CUT;
      Login login =
          Login.of(name + "@" + DIRECTION.senders(), NoLossPlan.PASSWORD)
              .withSecurity(plan.tls() ? Login.Security.STARTTLS : Login.Security.NONE)
              .withMechanism("SCRAM-SHA-1")
              .withKeptKeys()
              .at("s");
      threads.add(
          Thread.ofVirtual()
              .name(name)
              .start(new Sender(state, name, login, targets, disruption, random.split(), null)));
    }
  }

  /// Ends the load and waits until all that was sent is acknowledged, and has arrived or was
  /// returned.
  ///
  /// @param patience timeout of each step; that of a sender is recorded as a violation
  public void finish(Duration patience) throws InterruptedException {
    state.calm();
    for (Thread sender : threads) {
      if (!sender.join(patience)) {
        state.ledger().violated(sender.getName() + " did not receive its acknowledgements");
      }
    }
    long end = System.nanoTime() + patience.toNanos();
    while (state.ledger().missing(null) > 0 && System.nanoTime() < end) {
      state.rest(100);
    }
    state.over();
  }

  /// Stops all immediately.
  @Override
  public void close() {
    state.over();
  }
}
