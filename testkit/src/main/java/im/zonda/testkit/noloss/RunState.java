package im.zonda.testkit.noloss;

import im.zonda.testkit.history.MessageLedger;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/// State shared by all clients of a run: phases, ledger, server.
final class RunState {
  private final NoLossPlan plan;
  private final ServerLives senders;
  private final ServerLives receivers;
  private final MessageLedger ledger;
  private final CountDownLatch calm = new CountDownLatch(1);
  private final CountDownLatch over = new CountDownLatch(1);
  private final LongAdder resumed = new LongAdder();
  private final LongAdder bound = new LongAdder();
  private final LongAdder boundAnew = new LongAdder();

  /// @param senders the server of the senders
  /// @param receivers the server of the receivers, which may be the same
  RunState(NoLossPlan plan, ServerLives senders, ServerLives receivers, MessageLedger ledger) {
    this.plan = plan;
    this.senders = senders;
    this.receivers = receivers;
    this.ledger = ledger;
  }

  NoLossPlan plan() {
    return plan;
  }

  /// The server of a domain.
  ServerLives lives(String domain) {
    return plan.direction().receivers().equals(domain) ? receivers : senders;
  }

  MessageLedger ledger() {
    return ledger;
  }

  LongAdder resumed() {
    return resumed;
  }

  LongAdder bound() {
    return bound;
  }

  LongAdder boundAnew() {
    return boundAnew;
  }

  /// Ends the load: no new messages, no more cut connections.
  void calm() {
    calm.countDown();
  }

  boolean isCalm() {
    return calm.getCount() == 0;
  }

  /// Ends the run: all clients disconnect.
  void over() {
    calm();
    over.countDown();
  }

  boolean isOver() {
    return over.getCount() == 0;
  }

  /// Waits for the duration, or until the load ends.
  void pause(long millis) throws InterruptedException {
    calm.await(millis, TimeUnit.MILLISECONDS);
  }

  /// Waits for the duration, or until the run ends.
  void rest(long millis) throws InterruptedException {
    over.await(millis, TimeUnit.MILLISECONDS);
  }
}
