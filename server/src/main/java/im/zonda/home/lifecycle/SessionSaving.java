package im.zonda.home.lifecycle;

import im.zonda.cluster.placement.ClusterView;
import im.zonda.home.session.LocalSession;
import im.zonda.home.session.SentEntries;
import im.zonda.home.session.SessionSnapshot;
import im.zonda.home.session.SessionSnapshots;
import im.zonda.home.session.StreamManagementState;
import im.zonda.store.MessageLog;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Saves sessions that can be resumed (XEP-0198, section 5) at a stop of the server: to their
/// clients the restart looks like a short break of the network.
final class SessionSaving {
  private static final Logger log = LoggerFactory.getLogger(SessionSaving.class);

  private final SessionLifecycle sessions;
  private final MessageLog messages;
  private final SessionSnapshots snapshots;
  private final SessionSteps steps;

  SessionSaving(SessionLifecycle sessions, SessionContext context, SessionSteps steps) {
    this.sessions = sessions;
    this.messages = context.messages();
    this.snapshots = context.snapshots();
    this.steps = steps;
  }

  /// The snapshots of all sessions. All streams must have ended. Blocks.
  ///
  /// Waits until the clients' stanzas in progress are handled: a client that resumes sends
  /// uncounted stanzas again, and their receivers would get them twice. A session whose count is
  /// not known in time is not saved. Nor is one whose home is not here, as at a node that was
  /// evicted: its home at another node has recovered it, and a home without a placement does not
  /// answer.
  List<SessionSnapshot> save() {
    ClusterView view = sessions.registry().homes().nodes().view();
    return save(sessions.all().stream().filter(each -> view.isHere(each.jid().bare())).toList());
  }

  private List<SessionSnapshot> save(List<LocalSession> all) {
    boolean stored = flush();
    if (stored) {
      steps.run(
          all,
          "stanzas_not_handled",
          (home, session, done) -> {
            StreamManagementState management = session.management();
            if (management == null) {
              done.run();
            } else {
              management.whenSettled(done);
            }
          });
    }
    ConcurrentLinkedQueue<SessionSnapshot> saved = new ConcurrentLinkedQueue<>();
    steps.run(
        all,
        "sessions_not_saved",
        (home, session, done) -> {
          // Shared entries are not saved, so an entry that a client has acknowledged must not wait
          // in the log.
          home.shared().release();
          // Stanzas that could not be stored are not handled; the client sends them again.
          if (home.sessions().contains(session)
              && session.outgoing().replicatedUpTo().isEmpty()
              && (!stored || isSettled(session))) {
            SessionSnapshot one = snapshots.whole(session, SentEntries.of(session));
            if (one != null) {
              saved.add(one);
            }
          }
          done.run();
        });
    if (stored) {
      // If the server is killed now, the sessions must not be sent their entries twice.
      flush();
    }
    return List.copyOf(saved);
  }

  /// Waits until what has been appended is durable; false if it cannot be stored.
  private boolean flush() {
    try {
      messages.flush();
      return true;
    } catch (RuntimeException e) {
      log.atWarn().setCause(e).log("sessions_saved_without_commit");
      return false;
    }
  }

  private static boolean isSettled(LocalSession session) {
    StreamManagementState management = session.management();
    return management != null && management.handled().isSettled();
  }
}
