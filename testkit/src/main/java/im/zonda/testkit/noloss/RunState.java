package im.zonda.testkit.noloss;

import im.zonda.testkit.history.MessageLedger;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/// What all clients of a run share: its phases, its ledger, its server.
final class RunState {
  private final NoLossPlan plan;
  private final ServerLives lives;
  private final MessageLedger ledger;
  private final CountDownLatch calm = new CountDownLatch(1);
  private final CountDownLatch over = new CountDownLatch(1);
  private final LongAdder resumed = new LongAdder();
  private final LongAdder bound = new LongAdder();
  private final LongAdder boundAnew = new LongAdder();

  RunState(NoLossPlan plan, ServerLives lives, MessageLedger ledger) {
    this.plan = plan;
    this.lives = lives;
    this.ledger = ledger;
  }

  NoLossPlan plan() {
    return plan;
  }

  ServerLives lives() {
    return lives;
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

  /// No more new messages, and no more connections cut.
  void calm() {
    calm.countDown();
  }

  boolean isCalm() {
    return calm.getCount() == 0;
  }

  /// Everybody goes.
  void over() {
    calm();
    over.countDown();
  }

  boolean isOver() {
    return over.getCount() == 0;
  }

  /// Waits that long, or until the calm.
  void pause(long millis) throws InterruptedException {
    calm.await(millis, TimeUnit.MILLISECONDS);
  }

  /// Waits that long, or until all is over.
  void rest(long millis) throws InterruptedException {
    over.await(millis, TimeUnit.MILLISECONDS);
  }
}
