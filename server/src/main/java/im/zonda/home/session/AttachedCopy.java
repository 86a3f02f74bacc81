package im.zonda.home.session;

import im.zonda.link.ToStream;
import org.jspecify.annotations.Nullable;

/// What another node is to have of a session whose stream is in this process, for the case that the
/// process is killed. Confined to the home's mailbox.
///
/// While there is a copy, the client is told a count of its stanzas only when the copy has it: the
/// client discards what is acknowledged, so the count must not go back (XEP-0198, section 5).
public final class AttachedCopy {
  /// Whether there is a copy.
  public enum Phase {
    /// There is none, and nothing waits for one.
    NONE,
    /// There is one, or there is about to be one.
    KEPT,
    /// It is being removed.
    LEAVING
  }

  private Phase phase = Phase.NONE;

  // What is not as it is in the copy.
  private boolean stateChanged;
  private boolean queueChanged;
  private boolean handledChanged;

  /// Whether a change has been sent that is not confirmed.
  private boolean onTheWay;

  /// Goes up when confirmations of what was sent before are of no account any more.
  private int turn;

  private long told;

  /// Not before then there is a copy again, in ms.
  private long pausedUntil;

  /// The size of the last copy of what the client has not acknowledged, in bytes.
  private int queueBytes;

  /// Waits for the next confirmation, of whatever result.
  private @Nullable Runnable then;

  AttachedCopy() {}

  public Phase phase() {
    return phase;
  }

  /// All of the session is to be copied from now on.
  public void begin() {
    leavePhase(Phase.KEPT);
    stateChanged = true;
    queueChanged = true;
    handledChanged = true;
  }

  /// The copy is being removed. Nothing is copied until it has been, and for some time after that.
  ///
  /// @param until in ms
  public void leave(long until) {
    Runnable waiting = then;
    leavePhase(Phase.LEAVING);
    then = waiting;
    pausedUntil = until;
  }

  /// Nothing is copied any more, and nobody waits for that.
  public void end() {
    leavePhase(Phase.NONE);
  }

  private void leavePhase(Phase next) {
    phase = next;
    turn++;
    onTheWay = false;
    then = null;
  }

  /// Whether it may be copied at that time, in ms.
  public boolean mayBegin(long now) {
    return phase == Phase.NONE && now >= pausedUntil;
  }

  // ---- what changes

  /// Notes that presence or a value of a module has changed. True if that is the first change since
  /// the last copy, and there is to be a copy.
  public boolean stateChanged() {
    boolean first = isUpToDate();
    stateChanged = true;
    return first && phase == Phase.KEPT;
  }

  /// The same of what has been sent.
  public boolean queueChanged() {
    boolean first = isUpToDate();
    queueChanged = true;
    return first && phase == Phase.KEPT;
  }

  /// The same of the count of the client's stanzas.
  public boolean handledChanged() {
    boolean first = isUpToDate();
    handledChanged = true;
    return first && phase == Phase.KEPT;
  }

  /// Whether nothing has changed since the last copy.
  public boolean isUpToDate() {
    return !stateChanged && !queueChanged && !handledChanged;
  }

  // ---- copies

  /// What a copy has to bring.
  ///
  /// @param state presence and values of modules
  /// @param queue what has been sent
  /// @param handled the count of the client's stanzas
  public record Due(boolean state, boolean queue, boolean handled) {}

  /// What is to be copied now; null if there is nothing, or a copy is on its way.
  public @Nullable Due send() {
    if (phase != Phase.KEPT || onTheWay || isUpToDate()) {
      return null;
    }
    Due due = new Due(stateChanged, queueChanged, handledChanged);
    stateChanged = false;
    queueChanged = false;
    handledChanged = false;
    onTheWay = true;
    return due;
  }

  /// Which confirmations count.
  public int turn() {
    return turn;
  }

  /// A change has been confirmed.
  public void confirmed() {
    onTheWay = false;
  }

  /// The size of the last copy of what the client has not acknowledged, in bytes.
  public int queueBytes() {
    return queueBytes;
  }

  public void queueBytes(int bytes) {
    queueBytes = bytes;
  }

  // ---- who waits

  /// Has `action` run when the next confirmation comes, or none is waited for any more.
  public void then(Runnable action) {
    then = action;
  }

  /// Whether something waits so.
  public boolean isAwaited() {
    return then != null;
  }

  /// What is to run; null if there is nothing.
  public @Nullable Runnable takeThen() {
    Runnable action = then;
    then = null;
    return action;
  }

  /// Tells the client that so many of its stanzas have been handled, if it does not know.
  public void tell(HomeLink link, long handled) {
    if (handled > told) {
      told = handled;
      link.stream().receive(new ToStream.Handled(handled));
    }
  }
}
