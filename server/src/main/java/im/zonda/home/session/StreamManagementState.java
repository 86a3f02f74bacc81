package im.zonda.home.session;

import im.zonda.hash.HashFunction;
import im.zonda.link.ack.HandledCount;
import java.util.Arrays;
import java.util.Base64;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// The stream management of a session whose client has enabled it (XEP-0198): the count of the
/// client's stanzas, and what other homes may have counted. Confined to the home's mailbox.
public final class StreamManagementState {
  /// In place of a time: later than any.
  private static final long NEVER = Long.MAX_VALUE;

  /// In place of a time: earlier than any.
  private static final long LONG_AGO = Long.MIN_VALUE;

  /// A client, or the keeper of its stream, sends unhandled stanzas again after a resumption: it
  /// has begun after the first of these times, and is done after the second, in ms.
  private static final long SENDING_AGAIN = 5_000;

  private static final long SENT_AGAIN = 60_000;

  private static final int HASH_BYTES = 18;

  private final @Nullable String id;
  private HandledCount handled;
  private @Nullable AttachedReplica copy;

  /// The number of the client's last resumption ([im.zonda.link.SessionVersion#resumptions]).
  private long resumptions;

  private long replicatedResumption;

  /// Until when another stream of the client may bring a newer snapshot, in ms since 1970.
  private long olderUntil = LONG_AGO;

  /// When the session moved here with stanzas in progress at its former home, in ms since 1970;
  /// [#NEVER] if it had none.
  private long pendingElsewhereSince = NEVER;

  /// Whether a former home may report a stanza as handled that is also handled here.
  private boolean countedElsewhere;

  /// Since when a home that died may have handled stanzas that this home has not counted, in ms
  /// since 1970; [#NEVER] if there is no such home.
  private long possiblyHandledSince = NEVER;

  /// When the client began to send those stanzas again, in ms since 1970; [#NEVER] if it has not.
  private long sendingAgainSince = NEVER;

  private @Nullable Runnable whenSettled;

  /// @param id by which the session can be resumed, hashed ([#hash]); null if it cannot
  public StreamManagementState(@Nullable String id, HandledCount handled) {
    this.id = id;
    this.handled = handled;
  }

  /// Hashes an id: a reader of the hash cannot resume the session.
  public static String hash(String id) {
    byte[] hash = HashFunction.SHA_256.hash(id);
    return Base64.getEncoder().encodeToString(Arrays.copyOf(hash, HASH_BYTES));
  }

  /// The id by which the session can be resumed, hashed; null if it cannot.
  public @Nullable String id() {
    return id;
  }

  /// The client's stanzas.
  public HandledCount handled() {
    return handled;
  }

  /// The number of the client's last resumption; 0 for the stream on which it was bound.
  public long resumptions() {
    return resumptions;
  }

  public void resumptions(long number) {
    resumptions = number;
  }

  /// The number of the last resumption that other nodes know though they have no replica of the
  /// session; 0 if they know none.
  public long replicatedResumption() {
    return replicatedResumption;
  }

  public void replicatedResumption(long number) {
    replicatedResumption = number;
  }

  /// The replication of the session while it has a stream; null before it starts.
  public @Nullable AttachedReplica copy() {
    return copy;
  }

  /// The same; created if there is none.
  public AttachedReplica openCopy() {
    AttachedReplica open = copy;
    if (open == null) {
      open = new AttachedReplica();
      copy = open;
    }
    return open;
  }

  /// The session was recovered from the snapshot of one stream. Until `until`, another stream of
  /// its client may bring a newer snapshot.
  ///
  /// @param until in ms since 1970
  public void mayBeOlderUntil(long until) {
    olderUntil = until;
  }

  /// Whether a newer snapshot may still arrive.
  public boolean mayBeOlder(long now) {
    return now < olderUntil;
  }

  /// The session has moved here with stanzas in progress at its former home.
  ///
  /// @param now in ms since 1970
  public void pendingElsewhere(long now) {
    pendingElsewhereSince = now;
  }

  /// Whether stanzas of the session are in progress at a former home.
  public boolean isPendingElsewhere() {
    return pendingElsewhereSince != NEVER && !handled.isSettled();
  }

  /// Whether stanzas have been in progress there since before that time, in ms since 1970.
  public boolean isPendingElsewhereBefore(long time) {
    return isPendingElsewhere() && pendingElsewhereSince < time;
  }

  /// Gives up on stanzas in progress at the former home: the client sends them again.
  ///
  /// @return when the session moved here, in ms since 1970
  public long abandonPending() {
    long since = pendingElsewhereSince;
    pendingElsewhereSince = NEVER;
    countedElsewhere = true;
    handled = new HandledCount(handled.handled());
    return since;
  }

  /// The session was at another home before, which may have given up on stanzas, too.
  public void countedElsewhere() {
    countedElsewhere = true;
  }

  /// Whether a handled stanza is to be counted. After [#abandonPending], here or at a former home,
  /// a stanza may be reported twice: a former home that lives reports it, too.
  public boolean counts(long number) {
    return !countedElsewhere || handled.isPending(number);
  }

  /// Records that a home that died may have handled, since then, stanzas that the client sends
  /// again now.
  ///
  /// @param since in ms since 1970
  public void possiblyHandledSince(long since) {
    possiblyHandledSince = since;
  }

  /// Since when a home that died may have handled stanzas that this home has not counted, in ms
  /// since 1970; empty if there is no such home.
  public OptionalLong possiblyHandledSince() {
    return hasPossiblyHandled() ? OptionalLong.of(possiblyHandledSince) : OptionalLong.empty();
  }

  /// Whether a home that died may have handled what the client sends.
  public boolean hasPossiblyHandled() {
    return possiblyHandledSince != NEVER;
  }

  /// How long ago such a home may have begun, in ms and at least 1; 0 if the client has sent
  /// everything again.
  public long possiblyHandledAge(long now) {
    long sending = now - sendingAgainSince;
    if (sending > SENT_AGAIN || (sending > SENDING_AGAIN && handled.isSettled())) {
      possiblyHandledSince = NEVER;
    }
    return hasPossiblyHandled() ? Math.max(1, now - possiblyHandledSince) : 0;
  }

  /// Runs `action` once all that has arrived has been handled; at once if it has.
  public void whenSettled(Runnable action) {
    if (handled.isSettled()) {
      action.run();
    } else {
      whenSettled = action;
    }
  }

  /// What [#whenSettled] has been given, if all has been handled now; null otherwise.
  public @Nullable Runnable takeSettled() {
    Runnable action = handled.isSettled() ? whenSettled : null;
    if (action != null) {
      whenSettled = null;
    }
    return action;
  }

  /// A stream is given the session: the client begins to send again what was not handled.
  ///
  /// @param now in ms since 1970
  public void resumed(long now) {
    sendingAgainSince = now;
    pendingElsewhereSince = NEVER; // nothing is in progress there: a resumption waits for that
  }
}
