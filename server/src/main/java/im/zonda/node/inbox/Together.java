package im.zonda.node.inbox;

import im.zonda.jid.Jid;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Collects what one home sends to homes on other nodes in one action, so that one group of the
/// inbox sends it. Any thread may call.
///
/// The action runs in the home's mailbox, so nothing else of that home can overtake what waits.
/// What others send meanwhile on the same thread, because their mailboxes run there, does not wait.
public final class Together {
  /// The most stanzas that are held back.
  private static final int MOST = 64;

  /// What is held back of a home.
  private record Held(Jid sender, List<Runnable> tasks) {}

  private final ScopedValue<Held> current = ScopedValue.newInstance();
  private final Inbox inbox;

  /// Nothing is held back yet.
  public Together(Inbox inbox) {
    this.inbox = inbox;
  }

  /// Runs an action, and then in their order what it has added.
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
