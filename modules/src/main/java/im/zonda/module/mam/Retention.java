package im.zonda.module.mam;

import im.zonda.config.ServerConfig;
import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import im.zonda.module.Scheduler;
import im.zonda.store.AccountAddresses;
import im.zonda.store.MessageArchive;
import im.zonda.store.RoomStore;
import im.zonda.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Removes messages that exceed the configured age or number from the archives of the host's
/// accounts and rooms. Works in small steps with pauses: some owners or some messages at a time,
/// and a long pause after all owners.
final class Retention {
  private static final Logger log = LoggerFactory.getLogger(Retention.class);

  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final Duration LONG_PAUSE = Duration.ofHours(1);

  /// Accounts or rooms per step.
  private static final int OWNERS = 100;

  /// Messages that are removed per step, and per owner.
  private static final int ENTRIES = 500;

  private final ModuleContext context;
  private final MessageArchive archive;
  private final AccountAddresses accounts;
  private final RoomStore rooms;

  /// Whether the current round is at the rooms, which come after the accounts.
  private boolean atRooms;

  private @Nullable Jid after;

  // Guarded by this object's monitor.
  private Scheduler.@Nullable Cancellable running;

  /// When the last round ended, or the store failed; null during a round.
  private @Nullable Instant restingSince;

  Retention(ModuleContext context) {
    this.context = context;
    archive = context.port(MessageArchive.class);
    accounts = context.port(AccountAddresses.class);
    rooms = context.port(RoomStore.class);
  }

  /// Runs from now on if a limit is configured, and otherwise does not.
  synchronized void start() {
    boolean limited = rules().keepDays() > 0 || rules().keepEntries() > 0;
    if (limited && running == null) {
      running = context.everyAtOneNode(PAUSE, PAUSE, this::step);
    } else if (!limited && running != null) {
      running.cancel();
      running = null;
    }
  }

  private ServerConfig.Archive rules() {
    return context.config().archive();
  }

  private String roomService() {
    String prefix = context.config().rooms().prefix();
    return Jid.of(null, prefix + "." + context.domain().domain(), null).domain();
  }

  private void step() {
    Instant now = context.clock().instant();
    Instant since = restingSince;
    if (since != null && !now.isBefore(since) && now.isBefore(since.plus(LONG_PAUSE))) {
      return;
    }
    restingSince = doSome() ? null : now;
    if (restingSince != null) {
      atRooms = false;
      after = null;
    }
  }

  /// Does a step; false at the end of a round, or if the store fails.
  private boolean doSome() {
    Jid at = null;
    try {
      int removed = 0;
      List<Jid> owners = nextOwners();
      for (Jid owner : owners) {
        at = owner;
        int gone = archive.purge(owner, oldest(), newest(), ENTRIES);
        removed += gone;
        if (gone == ENTRIES) {
          return true; // the same owner again
        }
        after = owner;
        if (removed >= ENTRIES) {
          return true;
        }
      }
      if (owners.size() == OWNERS) {
        return true;
      }
      if (!atRooms) {
        atRooms = true;
        after = null;
        return true;
      }
    } catch (RuntimeException e) {
      log.atWarn().addKeyValue("owner", at).setCause(e).log("archive_retention_failed");
      boolean passing = e instanceof StoreException store && store.retryable();
      if (at != null && !passing) {
        after = at; // skips the owner that fails
        return true;
      }
    }
    return false;
  }

  private List<Jid> nextOwners() {
    return atRooms
        ? rooms.list(roomService(), after == null ? null : after.local(), OWNERS)
        : accounts.list(context.domain().domain(), after, OWNERS);
  }

  private long oldest() {
    int days = rules().keepDays();
    if (days == 0) {
      return Long.MIN_VALUE;
    }
    Instant time = context.clock().instant().minus(Duration.ofDays(days));
    return time.getEpochSecond() * 1_000_000;
  }

  private int newest() {
    int entries = rules().keepEntries();
    return entries == 0 ? Integer.MAX_VALUE : entries;
  }
}
