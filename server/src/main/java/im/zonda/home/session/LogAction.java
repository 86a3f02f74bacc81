package im.zonda.home.session;

import im.zonda.store.MessageLog.Receipt;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/// The action for when a message of the log has reached a client. It has the id of its entry, so
/// that a session that reads the log skips entries that were sent already.
public sealed interface LogAction extends Runnable
    permits LogAction.Live, LogAction.Read, LogAction.Noted, SharedEntries.Shared {
  /// The entry.
  long id();

  /// Whether the entry no longer waits in the log once this client has it, so that no other session
  /// needs to read it.
  boolean settles();

  /// A message that is delivered as it arrives.
  ///
  /// @param id the entry
  /// @param receipt the log's
  /// @param waits where the entry was counted as waiting, or null if it was not
  record Live(long id, Receipt receipt, @Nullable WaitingMessages waits) implements LogAction {
    @Override
    public boolean settles() {
      return true;
    }

    @Override
    public void run() {
      receipt.delivered();
      if (waits != null) {
        waits.delivered();
      }
    }
  }

  /// A message whose steps are noted.
  ///
  /// @param action what is done
  /// @param note runs then, too
  record Noted(LogAction action, Runnable note) implements LogAction {
    @Override
    public long id() {
      return action.id();
    }

    @Override
    public boolean settles() {
      return action.settles();
    }

    @Override
    public void run() {
      note.run();
      action.run();
    }
  }

  /// A message that was read from the log.
  ///
  /// @param id the entry
  /// @param size its bytes, about
  /// @param reader who has read it
  record Read(long id, int size, Reader reader) implements LogAction {
    @Override
    public boolean settles() {
      return false;
    }

    @Override
    public void run() {
      reader.delivered(List.of(this));
    }
  }

  /// Reads the log for a session. Called in the mailbox of its home.
  interface Reader {
    /// Entries that it has read have reached the client.
    void delivered(List<Read> entries);
  }

  /// Runs all in order. Consecutive entries of one reader are reported in one call, so that they
  /// cost one write to the log.
  static void runAll(List<Runnable> actions) {
    int at = 0;
    while (at < actions.size()) {
      if (actions.get(at) instanceof Read first) {
        int end = at + 1;
        while (end < actions.size()
            && actions.get(end) instanceof Read next
            && next.reader.equals(first.reader)) {
          end++;
        }
        List<Read> read = actions.subList(at, end).stream().map(Read.class::cast).toList();
        run(() -> first.reader.delivered(read));
        at = end;
      } else {
        run(actions.get(at));
        at++;
      }
    }
  }

  /// A failure does not stop the actions after it: the client has received all of these messages.
  private static void run(Runnable action) {
    try {
      action.run();
    } catch (RuntimeException e) {
      LoggerFactory.getLogger(LogAction.class).atError().setCause(e).log("left_callback_failed");
    }
  }
}
