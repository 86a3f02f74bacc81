package im.zonda.cluster.session;

import im.zonda.cluster.handover.Segments;
import im.zonda.cluster.inbox.Inbox;
import im.zonda.cluster.port.NodeSetup;
import im.zonda.link.SessionEnd;
import im.zonda.link.ToSession;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;

/// Sessions of this node whose streams were on a lost node, until they are notified of that.
///
/// No client waits for the notification, while clients of other nodes wait for the homes that this
/// node takes over. So the sessions are notified after that, in portions, each of which waits until
/// the workers have begun what was submitted before. Confined to the node's inbox.
final class LostStreams {
  /// Sessions that are notified in one task.
  static final int PORTION = 16;

  /// How long sessions wait, in ms, however long homes are taken over.
  static final long LONGEST = 3_000;

  private static final ToSession LOST = new ToSession.Lost();

  private record Session(String owner, SessionEnd end) {}

  private final NodeSetup setup;
  private final Segments segments;
  private final Inbox inbox;
  private final Queue<Session> waiting = new ArrayDeque<>();
  private long since;

  /// Whether a task is scheduled that notifies some.
  private boolean notifying;

  LostStreams(NodeSetup setup, Segments segments, Inbox inbox) {
    this.setup = setup;
    this.segments = segments;
    this.inbox = inbox;
  }

  /// The stream of a session was on a node that is gone.
  ///
  /// @param owner the account of the session
  void add(String owner, SessionEnd session) {
    if (waiting.isEmpty()) {
      since = setup.clock().getAsLong();
    }
    waiting.add(new Session(owner, session));
  }

  /// Forgets the sessions whose homes have left: their new homes have them without a stream.
  void homesMoved() {
    waiting.removeIf(session -> !segments.isHere(session.owner()));
  }

  /// To be called a few times a second.
  void tick() {
    if (!notifying && isDue()) {
      notifying = true;
      notifySome();
    }
  }

  private boolean isDue() {
    return !waiting.isEmpty()
        && (!segments.isTakingOver() || setup.clock().getAsLong() - since >= LONGEST);
  }

  private void notifySome() {
    for (int i = 0; i < PORTION && !waiting.isEmpty(); i++) {
      waiting.remove().end().receive(LOST);
    }
    notifying = isDue();
    if (notifying) {
      try {
        setup.workers().execute(() -> inbox.submit(this::notifySome));
      } catch (RejectedExecutionException e) {
        notifying = false; // the server is stopping, and with it the sessions
      }
    }
  }
}
