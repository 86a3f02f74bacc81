package im.zonda.home.session;

import im.zonda.home.session.SessionSnapshotCodec.Section;
import im.zonda.link.ToStream;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Replication state of a session whose stream is in this process: its standby keeps a replica,
/// from which the session is recovered if the process is killed. Confined to the home's mailbox.
///
/// While there is a replica, the client gets a count of its stanzas only after the standby has
/// confirmed that count: the client discards acknowledged stanzas, so the count must not go back
/// (XEP-0198, section 5).
public final class AttachedReplica {
  /// Whether there is a replica.
  public enum Phase {
    /// There is no replica, and no one waits for one.
    NONE,
    /// The session is replicated, or its first replica is being sent.
    REPLICATED,
    /// The replica is being removed.
    REMOVING
  }

  private Phase phase = Phase.NONE;

  /// What the replica lacks.
  private final EnumSet<Section> changed = EnumSet.noneOf(Section.class);

  /// Whether a change has been sent and not been confirmed.
  private boolean unconfirmed;

  /// Incremented when confirmations of earlier changes become obsolete.
  private int epoch;

  private long reported;

  /// Replication pauses until then, in ms.
  private long pausedUntil;

  /// The size of the last replicated queue of unacknowledged stanzas, in bytes.
  private int queueBytes;

  /// Runs after the next confirmation, whatever its result.
  private @Nullable Runnable whenConfirmed;

  AttachedReplica() {}

  public Phase phase() {
    return phase;
  }

  /// Starts replication of the whole session.
  public void begin() {
    leavePhase(Phase.REPLICATED);
    changed.addAll(Section.OF_ATTACHED);
  }

  /// The replica is being removed. Replication pauses until that is done and until `until`.
  ///
  /// @param until in ms
  public void remove(long until) {
    Runnable waiting = whenConfirmed;
    leavePhase(Phase.REMOVING);
    whenConfirmed = waiting;
    pausedUntil = until;
  }

  /// Stops replication; confirmations and the waiting action are discarded.
  public void end() {
    leavePhase(Phase.NONE);
  }

  private void leavePhase(Phase next) {
    phase = next;
    epoch++;
    unconfirmed = false;
    whenConfirmed = null;
  }

  /// Whether replication may start at that time, in ms.
  public boolean mayBegin(long now) {
    return phase == Phase.NONE && now >= pausedUntil;
  }

  // ---- what changes

  /// Notes that a section has changed. True if this is the first change since the last one was
  /// sent, and the session is replicated.
  public boolean changed(Section section) {
    boolean first = changed.isEmpty();
    changed.add(section);
    return first && phase == Phase.REPLICATED;
  }

  /// Whether all changes have been sent.
  public boolean isUpToDate() {
    return changed.isEmpty();
  }

  /// The sections to send now; none if nothing has changed, or a change awaits its confirmation.
  public Set<Section> send() {
    if (phase != Phase.REPLICATED || unconfirmed || isUpToDate()) {
      return Set.of();
    }
    Set<Section> due = EnumSet.copyOf(changed);
    changed.clear();
    unconfirmed = true;
    return due;
  }

  /// The number that a confirmation must carry to count.
  public int epoch() {
    return epoch;
  }

  /// A change has been confirmed.
  public void confirmed() {
    unconfirmed = false;
  }

  /// The size of the last replicated queue of unacknowledged stanzas, in bytes.
  public int queueBytes() {
    return queueBytes;
  }

  public void queueBytes(int bytes) {
    queueBytes = bytes;
  }

  // ---- who waits

  /// Runs `action` after the next confirmation, or when the replica has been removed.
  public void whenConfirmed(Runnable action) {
    whenConfirmed = action;
  }

  /// Whether an action waits.
  public boolean isAwaited() {
    return whenConfirmed != null;
  }

  /// Takes the waiting action; null if there is none.
  public @Nullable Runnable takeWhenConfirmed() {
    Runnable action = whenConfirmed;
    whenConfirmed = null;
    return action;
  }

  /// Reports the count of the client's handled stanzas to the client, unless it has been reported.
  public void report(SessionPhase.Link link, long handled) {
    if (handled > reported) {
      reported = handled;
      link.stream().receive(new ToStream.Handled(handled));
    }
  }
}
