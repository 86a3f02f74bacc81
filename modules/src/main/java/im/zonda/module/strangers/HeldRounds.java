package im.zonda.module.strangers;

import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import im.zonda.module.Scheduler;
import im.zonda.store.AccountAddresses;
import im.zonda.store.KeyValueStore;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Looks at all accounts of the host that have held messages, so that those that were held too long
/// are returned although nothing happens at the account. Some accounts at a time with pauses, and a
/// long pause after all of them.
final class HeldRounds {
  static final Duration PAUSE = Duration.ofSeconds(1);
  static final Duration LONG_PAUSE = Duration.ofDays(1);

  /// Accounts per step.
  private static final int ACCOUNTS = 100;

  private final ModuleContext context;
  private final AccountAddresses accounts;
  private final KeyValueStore store;
  private final MessageHold hold;
  private final boolean once;

  // Guarded by this object's monitor.
  private @Nullable Jid after;
  private boolean found;
  private Scheduler.Cancellable running = () -> {};

  /// @param once whether a round that finds no held message is the last one
  HeldRounds(ModuleContext context, MessageHold hold, boolean once) {
    this.context = context;
    this.accounts = context.port(AccountAddresses.class);
    this.store = context.keyValues("held");
    this.hold = hold;
    this.once = once;
  }

  /// Starts the first round.
  synchronized void start() {
    running = context.every(PAUSE, PAUSE, this::step);
  }

  private synchronized void step() {
    List<Jid> next = accounts.list(context.domain().domain(), after, ACCOUNTS);
    for (Jid account : next) {
      after = account; // one that fails is skipped in this round
      if (!store.all(account).isEmpty()) {
        found = true;
        hold.reviewAfter(account);
      }
    }
    if (next.size() < ACCOUNTS) {
      end();
    }
  }

  private void end() {
    running.cancel();
    if (found || !once) {
      running = context.every(LONG_PAUSE, PAUSE, this::step);
    }
    after = null;
    found = false;
  }
}
