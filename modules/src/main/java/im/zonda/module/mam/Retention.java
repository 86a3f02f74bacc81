package im.zonda.module.mam;

import im.zonda.config.ServerConfig;
import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import im.zonda.store.MessageArchive;
import im.zonda.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Removes from the host's archives what is too old or too much, a little at a time: some accounts
/// or some messages, then a pause, and a long one when all accounts have had their turn.
final class Retention {
  private static final Logger log = LoggerFactory.getLogger(Retention.class);

  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final Duration LONG_PAUSE = Duration.ofHours(1);

  /// Accounts that are looked at between two pauses.
  private static final int ACCOUNTS = 100;

  /// Messages that are removed between two pauses, and of one account at a time.
  private static final int ENTRIES = 500;

  private final ModuleContext context;
  private final ServerConfig.Archive rules;
  private final MessageArchive archive;
  private @Nullable Jid after;

  Retention(ModuleContext context) {
    this.context = context;
    rules = context.config().archive();
    archive = context.stores().archive();
  }

  /// Begins, if there is anything that must not stay for ever.
  void begin() {
    if (rules.keepDays() > 0 || rules.keepEntries() > 0) {
      next(PAUSE);
    }
  }

  private void next(Duration pause) {
    // Timers must not block; the home of the host itself may.
    context
        .scheduler()
        .schedule(pause, () -> context.atHome(context.domain(), home -> next(step())));
  }

  /// Does a little; returns the time until the next step.
  private Duration step() {
    try {
      int removed = 0;
      List<Jid> accounts =
          context.stores().accounts().list(context.domain().domain(), after, ACCOUNTS);
      for (Jid account : accounts) {
        int gone = archive.purge(account, oldest(), newest(), ENTRIES);
        removed += gone;
        if (gone == ENTRIES) {
          return PAUSE; // it has its turn again
        }
        after = account;
        if (removed >= ENTRIES) {
          return PAUSE;
        }
      }
      if (accounts.size() == ACCOUNTS) {
        return PAUSE;
      }
    } catch (StoreException e) {
      log.atWarn().setCause(e).log("archive_retention_failed");
    }
    after = null;
    return LONG_PAUSE;
  }

  private long oldest() {
    if (rules.keepDays() == 0) {
      return Long.MIN_VALUE;
    }
    Instant time = context.clock().instant().minus(Duration.ofDays(rules.keepDays()));
    return time.getEpochSecond() * 1_000_000;
  }

  private int newest() {
    return rules.keepEntries() == 0 ? Integer.MAX_VALUE : rules.keepEntries();
  }
}
