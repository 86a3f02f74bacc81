package im.zonda.home.session;

import im.zonda.link.StreamEnd;
import im.zonda.module.Scheduler;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The phase of a session's life. A phase has what exists in that phase only, and says which phases
/// it can follow. [LocalSession] has one phase at a time and changes it in one place; every change
/// that is not in this picture is a defect.
///
/// ```
///   Binding --bound--> Attached --stream lost--> Detached <--at its home-- Arriving
///                       |    ^                     |   ^
///               resume  |    | all is      resume  |   | stream lost, or it
///                       v    | handled             v   | has waited too long
///                     +----------------------------------+
///                     |             Resuming             |--+ resume: another
///                     +----------------------------------+<-+ stream waits
///
///   each of these --> Ended           each but Binding --> Moved
/// ```
///
/// | phase | its link | what is sent to it | ends by itself |
/// |---|---|---|---|
/// | Binding | of the stream that binds it | waits for the answer to the bind | no |
/// | Attached | of its stream | goes to the stream | no |
/// | Resuming | of the stream that waits for it | waits | Detached after 20 s |
/// | Detached | none | waits | Ended at its deadline |
/// | Arriving | none | waits | no: homes are loaded in turn |
/// | Moved, Ended | none | is rejected | last phases |
///
/// A timer has an effect only in the phase for which it was set. Phases are set and used in the
/// home's mailbox; any thread may read [#link], [#detachedSince] and [#isOver].
public sealed interface SessionPhase {
  /// In place of a time: later than any.
  long NEVER = Long.MAX_VALUE;

  /// A link to a stream. A session has one at a time, and compares links by identity.
  interface Link {
    /// The stream.
    StreamEnd stream();
  }

  /// Whether a session in the phase `before` may enter this one.
  boolean canFollow(SessionPhase before);

  /// The link to its stream, or to the stream that waits for it; null if there is none.
  default @Nullable Link link() {
    return null;
  }

  /// What the session is sent before its client has got the answer to the bind.
  default List<KeptStanza> early() {
    return List.of();
  }

  /// Since when it has no stream, in ms since 1970; [#NEVER] if it has a link.
  default long detachedSince() {
    return NEVER;
  }

  /// When the session expires if no stream is given it before, in ms since 1970.
  default long deadline() {
    return NEVER;
  }

  /// Whether this home has nothing more to do with the session.
  default boolean isOver() {
    return this instanceof Moved || this instanceof Ended;
  }

  /// The session enters another phase.
  default void left() {}

  /// A client binds the session, and has not got the answer. A first phase.
  ///
  /// @param early is sent after the answer
  record Binding(Link link, List<KeptStanza> early) implements SessionPhase {
    public Binding(Link link) {
      this(link, new ArrayList<>(4));
    }

    @Override
    public boolean canFollow(SessionPhase before) {
      return false;
    }
  }

  /// The session was restored from a snapshot and waits for its home to be loaded. A first phase.
  record Arriving(long detachedSince) implements SessionPhase {
    @Override
    public boolean canFollow(SessionPhase before) {
      return false;
    }
  }

  /// The session has a stream. The stream has bound it, or has waited for it while it was resuming.
  record Attached(Link link) implements SessionPhase {
    @Override
    public boolean canFollow(SessionPhase before) {
      return (before instanceof Binding || before instanceof Resuming)
          && link.equals(before.link());
    }
  }

  /// A stream waits for the session until the client's stanzas on earlier streams are handled. The
  /// session had no stream, or the client has left its stream, or the stream that has waited until
  /// now; it was at its home and bound.
  final class Resuming extends Timed {
    private final Link link;

    /// @param before its deadline stands until a stream is given the session
    public Resuming(Link link, SessionPhase before) {
      super(before.deadline());
      this.link = link;
    }

    @Override
    public boolean canFollow(SessionPhase before) {
      return before instanceof Detached || before instanceof Attached || before instanceof Resuming;
    }

    @Override
    public Link link() {
      return link;
    }
  }

  /// The session has no stream and waits for one until its deadline. It has lost its stream, or the
  /// one that waited for it; or it was restored and its home has it now.
  final class Detached extends Timed {
    private final long since;

    /// @param now in ms since 1970
    /// @param until the deadline, unless an earlier one stands
    public Detached(long now, long until, SessionPhase before) {
      super(Math.min(until, before.deadline()));
      this.since = now;
    }

    @Override
    public boolean canFollow(SessionPhase before) {
      return before instanceof Attached || before instanceof Resuming || before instanceof Arriving;
    }

    @Override
    public long detachedSince() {
      return since;
    }
  }

  /// The session continues elsewhere: at another node, or here from a newer snapshot. What is
  /// handled of its stanzas is reported there. It was at its home, or on the way to it.
  enum Moved implements SessionPhase {
    MOVED;

    @Override
    public boolean canFollow(SessionPhase before) {
      return !before.isOver() && !(before instanceof Binding);
    }
  }

  /// The session has ended, in any phase but the last ones: its client, an operator, a bound or its
  /// deadline has ended it.
  enum Ended implements SessionPhase {
    ENDED;

    @Override
    public boolean canFollow(SessionPhase before) {
      return !before.isOver();
    }
  }

  /// A phase with a timer, which is cancelled when the phase is left.
  abstract sealed class Timed implements SessionPhase permits Resuming, Detached {
    private final long deadline;
    private Scheduler.@Nullable Cancellable timer;

    private Timed(long deadline) {
      this.deadline = deadline;
    }

    @Override
    public long deadline() {
      return deadline;
    }

    /// Sets the timer, once.
    public void timer(Scheduler.Cancellable set) {
      timer = set;
    }

    @Override
    public void left() {
      if (timer != null) {
        timer.cancel();
        timer = null;
      }
    }
  }
}
