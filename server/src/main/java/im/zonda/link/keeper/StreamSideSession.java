package im.zonda.link.keeper;

import im.zonda.jid.Jid;
import im.zonda.link.LostSession;
import im.zonda.link.SessionVersion;
import im.zonda.link.ToSession;
import im.zonda.link.ToStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The keeper's snapshot of its stream's session. Only sessions that can be resumed cost anything.
/// Not thread-safe.
final class StreamSideSession {
  private final Jid jid;
  private final KeptBytes all;
  private final UnhandledStanzas unhandled;
  private UnacknowledgedStanzas unacknowledged;

  /// The id by which the session can be resumed; null if it cannot.
  private @Nullable String id;

  /// See [ToStream.Resumed#resumptions].
  private long resumptions;

  /// Whether the session has enabled stream management, also if it cannot be resumed.
  private boolean managed;

  /// Stream management has been asked for, and the session has not answered.
  private boolean enabling;

  /// The state from which the session can be recovered; null before it has arrived.
  private @Nullable String state;

  /// Values that are sent after a resumption, beside the client's stanzas.
  private final List<ToSession> afterResumption = new ArrayList<>(0);

  /// How many stanzas the client was sent, and has acknowledged.
  private long delivered;

  private long acknowledged;

  /// How many stanzas the client had been sent when a former keeper of its stream asked for the
  /// session: the session sends these again first.
  private long deliveredBefore;

  /// The number of the last stanza that the session has sent on this wire. The client may have
  /// received higher numbers on former wires.
  private long lastSent;

  /// Whether the session has not got the client's last count.
  private boolean countWithheld;

  private boolean inactive;

  private StreamSideSession(
      Jid jid, @Nullable String id, long handled, long acknowledged, KeptBytes all) {
    this.jid = jid;
    this.id = id;
    this.managed = id != null;
    this.all = all;
    this.unhandled = new UnhandledStanzas(handled, all);
    this.unacknowledged = new UnacknowledgedStanzas(jid.bare(), acknowledged, all);
    this.delivered = acknowledged;
    this.acknowledged = acknowledged;
    this.lastSent = acknowledged;
  }

  /// A session that has just been bound.
  static StreamSideSession bound(ToStream.Bound answer, KeptBytes all) {
    ToStream.Enabled enabled = answer.enabled();
    String id = enabled == null ? null : enabled.id();
    StreamSideSession bound = new StreamSideSession(answer.jid(), id, 0, 0, all);
    bound.managed = enabled != null;
    return bound;
  }

  /// A session that the client has resumed by that id.
  ///
  /// @param deliveredBefore how many stanzas the client had been sent when a former keeper of the
  ///   stream asked for the session; 0 if the client itself asked
  static StreamSideSession resumed(
      ToStream.Resumed answer, String id, long deliveredBefore, KeptBytes all) {
    StreamSideSession resumed =
        new StreamSideSession(answer.jid(), id, answer.handled(), answer.acknowledged(), all);
    resumed.resumptions = answer.resumptions();
    resumed.deliveredBefore = deliveredBefore;
    return resumed;
  }

  Jid jid() {
    return jid;
  }

  boolean isResumable() {
    return id != null;
  }

  // ---- from the stream

  /// Notes a value of the stream. True if a resumption sends it again.
  boolean note(ToSession value) {
    switch (value) {
      case ToSession.Received(var stanza, var count) -> {
        return keep(value, count, stanza.writtenSize());
      }
      case ToSession.HandledByStream(var count, var reply) -> {
        return keep(value, count, reply == null ? 0 : reply.writtenSize());
      }
      case ToSession.Acknowledged(var h) -> {
        acknowledged = h;
        unacknowledged.acknowledge(h);
      }
      case ToSession.Active(var active) -> inactive = !active;
      case ToSession.Enable _ -> enabling = !managed; // the session rejects a second one
      default -> {}
    }
    return false;
  }

  private boolean keep(ToSession value, long count, int bytes) {
    if (count == 0 || (id == null && !enabling)) {
      return false;
    }
    unhandled.add(value, count, bytes);
    return true;
  }

  /// Keeps a value for after the resumption that [#note] does not keep.
  void keepForLater(ToSession value) {
    if (value instanceof ToSession.Enable || value instanceof ToSession.EnablingOver) {
      afterResumption.add(value);
    }
  }

  /// Whether the client must not be read from.
  boolean isTooMuch() {
    return unhandled.isTooMuch();
  }

  /// Whether the client may be read from again.
  boolean isFew() {
    return unhandled.isFew();
  }

  // ---- from the session

  /// Handles a value of the session. False if it is a stanza that the client was sent before.
  boolean take(ToStream value, long now) {
    switch (value) {
      case ToStream.Deliver deliver -> {
        return deliver(deliver, now);
      }
      case ToStream.Handled(var h) -> unhandled.remove(h);
      case ToStream.Enabled enabled -> enabled(enabled);
      case ToStream.NotEnabled _ -> notEnabling();
      case ToStream.State(var newState) -> state(newState);
      default -> {}
    }
    return true;
  }

  private boolean deliver(ToStream.Deliver deliver, long now) {
    if (id == null) {
      return true;
    }
    lastSent = deliver.number();
    if (deliver.number() <= delivered) {
      return false;
    }
    delivered = deliver.number();
    unacknowledged.add(deliver.stanza(), now);
    if (delivered <= acknowledged) {
      unacknowledged.acknowledge(acknowledged); // the client has received it before
    }
    return true;
  }

  /// Whether the session may get the client's last count: only after it has sent again all stanzas
  /// that the client counts.
  boolean mayAcknowledge() {
    countWithheld = id != null && acknowledged > lastSent;
    return !countWithheld;
  }

  /// The client's count if it was withheld from the session and may be sent now; null otherwise.
  ToSession.@Nullable Acknowledged acknowledgementDue() {
    return countWithheld && mayAcknowledge() ? new ToSession.Acknowledged(acknowledged) : null;
  }

  private void enabled(ToStream.Enabled enabled) {
    id = enabled.id();
    managed = true;
    delivered = 0;
    acknowledged = 0;
    lastSent = 0;
    unacknowledged = new UnacknowledgedStanzas(jid.bare(), 0, all);
    notEnabling();
  }

  /// The session has answered the request for stream management.
  private void notEnabling() {
    enabling = false;
    if (id == null) {
      unhandled.clear();
    }
  }

  void state(String newState) {
    state = newState;
  }

  // ---- another wire

  /// The request to resume the session.
  ToSession.Resume resume() {
    String previous = id;
    if (previous == null) {
      throw new IllegalStateException("cannot be resumed");
    }
    return new ToSession.Resume(
        jid.bare(),
        previous,
        acknowledged,
        false,
        new SessionVersion(resumptions, Math.max(deliveredBefore, delivered), unhandled.handled()));
  }

  /// The snapshot from which the home recovers the session; null if it is incomplete.
  @Nullable LostSession lost(long now) {
    String previous = id;
    String last = state;
    if (previous == null
        || last == null
        || delivered < deliveredBefore
        || !unacknowledged.isComplete()) {
      return null;
    }
    return new LostSession(
        jid,
        last,
        previous,
        new LostSession.Counts(unhandled.handled(), acknowledged),
        unacknowledged.lastIds(),
        unacknowledged.list(now));
  }

  /// Whether these counts are possible for the session of this snapshot.
  boolean isPossible(ToStream.Resumed answer) {
    return unhandled.isPossible(answer.handled())
        && answer.acknowledged() >= 0
        && answer.acknowledged() <= delivered;
  }

  /// The values to send to the resumed session, in order.
  List<ToSession> continueAfter(ToStream.Resumed answer) {
    unhandled.remove(answer.handled());
    lastSent = answer.acknowledged();
    resumptions = answer.resumptions();
    countWithheld = acknowledged > lastSent;
    List<ToSession> again = new ArrayList<>();
    unhandled.forEach(again::add);
    if (inactive) {
      again.add(new ToSession.Active(false));
    }
    again.addAll(afterResumption);
    afterResumption.clear();
    return again;
  }

  /// Forgets all.
  void clear() {
    unhandled.clear();
    unacknowledged.clear();
    afterResumption.clear();
  }
}
