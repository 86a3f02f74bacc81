package im.zonda.cluster.inbox;

import im.zonda.jid.Jid;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Batches the stanzas that one home sends to homes on other nodes in one action, so that one group
/// of the inbox sends them. Any thread may call.
///
/// The action runs in the home's mailbox, so no other stanza of that home can overtake the batch.
/// Stanzas of other homes whose mailboxes run on the same thread are not batched.
public final class SendBatch {
  /// The most stanzas that are held back.
  private static final int MOST = 64;

  /// The batch of a home.
  private record Held(Jid sender, List<Runnable> tasks) {}

  private final ScopedValue<Held> current = ScopedValue.newInstance();
  private final Inbox inbox;

  /// Nothing is held back yet.
  public SendBatch(Inbox inbox) {
    this.inbox = inbox;
  }

  /// Runs an action, and then the tasks that it has added, in order.
  public void run(Jid sender, Runnable action) {
    Held held = new Held(sender, new ArrayList<>());
    try {
      ScopedValue.where(current, held).run(action);
    } finally {
      bring(held);
    }
  }

  /// Runs a task of the inbox, now or at the end of the sender's action.
  public void add(@Nullable Jid from, Runnable task) {
    Held held = current.isBound() ? current.get() : null;
    if (held == null || from == null || !from.bare().equals(held.sender())) {
      inbox.runAlone(task);
      return;
    }
    held.tasks().add(task);
    if (held.tasks().size() == MOST) {
      bring(held);
    }
  }

  private void bring(Held held) {
    if (!held.tasks().isEmpty()) {
      List<Runnable> tasks = List.copyOf(held.tasks());
      held.tasks().clear();
      inbox.runAlone(() -> tasks.forEach(Runnable::run));
    }
  }
}
