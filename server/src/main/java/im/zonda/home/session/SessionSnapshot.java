package im.zonda.home.session;

import im.zonda.jid.Jid;
import im.zonda.link.SessionVersion;
import im.zonda.link.ack.HandledCount;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/// The snapshot of a session that can be resumed (XEP-0198, section 5), from which its next home
/// restores it: after a restart of the server, at another node, or after the loss of its node.
/// [SessionSnapshotCodec] writes and reads it.
///
/// @param until when the session expires
/// @param sent the server's stanzas
/// @param log where the session is in the log of its account
/// @param received the client's stanzas
/// @param certainty what the snapshot may lack
public record SessionSnapshot(
    State state,
    Instant until,
    Sent sent,
    LogPosition log,
    Received received,
    Certainty certainty) {

  /// What changes seldom.
  ///
  /// @param jid the full address
  /// @param id the id by which the session is found, hashed
  /// @param resumptions the number of the client's last resumption ([SessionVersion#resumptions])
  /// @param presence the broadcast presence; null if the session is not available
  /// @param values what modules keep with the session, as text
  public record State(
      Jid jid,
      String id,
      long resumptions,
      @Nullable Presence presence,
      Map<String, String> values) {
    /// The name under which [#resumptions] is written among the values of modules.
    private static final String RESUMPTIONS = "resumptions";

    /// Copies the values.
    public State {
      values = Map.copyOf(values);
    }

    /// Reads the number of the last resumption from what [#writtenValues] returned.
    ///
    /// @throws NumberFormatException if it is no number, or negative: which of two snapshots is
    ///   newer is not known then
    static State of(Jid jid, String id, @Nullable Presence presence, Map<String, String> written) {
      Map<String, String> values = new HashMap<>(written);
      String text = values.remove(RESUMPTIONS);
      long number = text == null ? 0 : Long.parseLong(text);
      if (number < 0) {
        throw new NumberFormatException(text);
      }
      return new State(jid, id, number, presence, values);
    }

    /// The values of modules and the number of the last resumption, which is written as one of
    /// them, as the version before reads it.
    Map<String, String> writtenValues() {
      if (resumptions == 0) {
        return values;
      }
      Map<String, String> all = new HashMap<>(values);
      all.put(RESUMPTIONS, Long.toString(resumptions));
      return all;
    }
  }

  /// A stanza that was sent.
  ///
  /// @param time when, for the first time
  public record SentStanza(Stanza stanza, Instant time) {}

  /// The stanzas that the client was sent, or that wait for a stream.
  ///
  /// @param acknowledged how many the client has acknowledged
  /// @param unacknowledged the others, oldest first
  public record Sent(long acknowledged, List<SentStanza> unacknowledged) {
    static final Sent NONE = new Sent(0, List.of());

    /// Copies the list.
    public Sent {
      unacknowledged = List.copyOf(unacknowledged);
    }

    /// What is kept for a client.
    ///
    /// @param kept what it has not acknowledged, oldest first
    public static Sent of(long acknowledged, List<KeptStanza> kept) {
      return new Sent(
          acknowledged,
          kept.stream()
              .map(each -> new SentStanza(each.stanza(), Instant.ofEpochMilli(each.time())))
              .toList());
    }
  }

  /// Where a session is in the log.
  ///
  /// @param catchingUp whether more waits for it there
  /// @param sent what it has been sent
  public record LogPosition(boolean catchingUp, SentEntries sent) {}

  /// The client's stanzas. Some may be in progress at the former home of a session that moves,
  /// which reports them to the next one ([im.zonda.cluster.forward.StanzaForwarder#handled]).
  ///
  /// @param handled how many have been handled
  /// @param arrived how many have arrived; [#UNKNOWN] in a replica
  /// @param pending the numbers of those that have arrived and have not been handled
  public record Received(long handled, long arrived, SortedSet<Long> pending) {
    private static final long UNKNOWN = -1;

    /// The stanzas of a client of which none is in progress.
    public static Received settled(long handled) {
      return new Received(handled, handled, Collections.emptySortedSet());
    }

    /// The stanzas of a client as a replica has them, without those in progress.
    public static Received replicated(long handled) {
      return new Received(handled, UNKNOWN, Collections.emptySortedSet());
    }

    /// The stanzas that have been counted.
    public static Received of(HandledCount count) {
      return new Received(count.handled(), count.received(), count.pending());
    }

    /// The count at the next home.
    public HandledCount count() {
      return arrived == UNKNOWN ? new HandledCount(handled) : new HandledCount(arrived, pending);
    }
  }

  /// What a snapshot may lack.
  ///
  /// @param replicatedUpTo the highest stanza number that the snapshot is certain about; absent if
  ///   it is complete ([Outgoing#replicatedUpTo])
  /// @param possiblyHandledSince since when a home that died may have handled stanzas that the
  ///   snapshot does not count, in ms since 1970 ([StreamManagementState#possiblyHandledSince()]);
  ///   absent if there is none
  public record Certainty(OptionalLong replicatedUpTo, OptionalLong possiblyHandledSince) {
    /// Nothing is lacking.
    public static final Certainty COMPLETE =
        new Certainty(OptionalLong.empty(), OptionalLong.empty());
  }

  /// The full address of the session.
  public Jid jid() {
    return state.jid();
  }

  /// The id by which the session is found, hashed.
  public String id() {
    return state.id();
  }

  /// The version of the session when it is restored. Stanzas that waited for a stream count as
  /// given, unless [#certainty] says otherwise.
  public SessionVersion version() {
    return new SessionVersion(
        state.resumptions(),
        sent.acknowledged() + sent.unacknowledged().size(),
        received.handled());
  }

  /// Whether it is the snapshot of a replica.
  public boolean isReplica() {
    return received.arrived() == Received.UNKNOWN;
  }

  /// The same, after it has passed through a home whose node died.
  public SessionSnapshot withPossiblyHandledSince(OptionalLong since) {
    return new SessionSnapshot(
        state, until, sent, log, received, new Certainty(certainty.replicatedUpTo(), since));
  }
}
