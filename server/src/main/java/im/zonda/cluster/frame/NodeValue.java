package im.zonda.cluster.frame;

import java.util.List;
import java.util.Set;

/// What one node says to another within one placement. A node says it to itself in the same way.
public sealed interface NodeValue {
  /// What goes to the home of `owner`.
  sealed interface ToHome extends NodeValue {
    /// The bare JID, room or other name that decides on the segment.
    String owner();
  }

  // ---- source to home

  /// A stanza for the owner. Sent again in each placement until [Safe].
  ///
  /// @param entry its number in the outbox of the node
  record Route(long entry, String owner, RoutedStanza stanza) implements ToHome {}

  /// Two processes, or the database, have the stanza of that entry.
  record Safe(long entry) implements NodeValue {}

  // ---- edge to home

  /// Begins a session. Answered by [State], at the latest when a mirror has confirmed it.
  record Bind(String owner, String session, String resource, Attachment attachment)
      implements ToHome {}

  /// Continues a session whose client has `h` stanzas. Answered by [State] or [Refused].
  record Resume(String owner, String session, Attachment attachment, long h) implements ToHome {}

  /// Counts of an edge. They only grow, so the last one counts.
  ///
  /// @param handled the client's stanzas that are SAFE without a gap
  /// @param acked what the client has acknowledged
  record Progress(String owner, String session, Attachment attachment, long handled, long acked)
      implements ToHome {}

  /// The connection is gone, and all that it brought is SAFE. Answered by [Closed].
  record Detached(String owner, String session, Attachment attachment) implements ToHome {}

  /// The client has ended its session. Answered by [Closed] when nothing of it is needed any more.
  record End(String owner, String session, Attachment attachment) implements ToHome {}

  // ---- home to edge

  /// The session is to be continued elsewhere: close the connection, answer [Detached].
  record Detach(String owner, String session, Attachment attachment) implements NodeValue {}

  /// The connection does not belong to the session any more; the edge forgets it.
  record Closed(String session, Attachment attachment) implements NodeValue {}

  /// The session is not continued on this connection.
  record Refused(String session, Attachment attachment, Reason reason) implements NodeValue {}

  /// A refusal for a client of the home's own node: the standby sends it back, which it does only
  /// if it takes the sender for the home, too. A process that the cluster has gone on without would
  /// otherwise tell its clients that their sessions do not exist.
  record Witness(Refused refused) implements NodeValue {}

  /// Why a session is not continued.
  enum Reason {
    /// There is no such session.
    NOT_FOUND,
    /// The client says it has more than it was sent.
    COUNT_TOO_HIGH,
    /// Another connection asked later.
    SUPERSEDED
  }

  // ---- home to mirror

  /// The whole session. Answered by [Confirm].
  record State(SessionCopy copy) implements NodeValue {}

  /// The next version of a session: counts, and what is new in the queue. Answered by [Confirm].
  ///
  /// @param ending whether the session is over
  record Update(
      String session,
      long version,
      long handled,
      long acked,
      List<Delivery> added,
      boolean fetched,
      boolean ending)
      implements NodeValue {}

  /// The mirror has this version.
  record Confirm(String owner, String session, long version) implements ToHome {}

  /// The copy of a session is not needed any more.
  record Drop(String session) implements NodeValue {}

  /// The copies of a segment that the receiver is to keep; it drops all others.
  record Keep(int segment, Set<String> sessions) implements NodeValue {}

  // ---- change of ownership

  /// A new home asks for all copies of a segment.
  record Collect(int segment) implements NodeValue {}

  /// A copy of a session in the segment that is collected.
  record Held(int segment, SessionCopy copy) implements NodeValue {}

  /// All copies have been sent.
  record HeldEnd(int segment) implements NodeValue {}

  /// Stanzas of a source that the former home of a segment has handled, or is about to: sent before
  /// [HeldEnd]. If their source sends them again, or has done so, they are ignored.
  ///
  /// @param oldest all entries of the source below this one are SAFE
  record Taken(int segment, String source, long oldest, Set<Long> entries) implements NodeValue {}

  /// State that moves with a home to the new node of its segment; sent before [HeldEnd].
  record Moved(int segment, StanzaBytes state) implements NodeValue {}

  /// A stanza of a session that has moved has been handled. Sent again in each placement until
  /// [Safe].
  ///
  /// @param entry its number in the outbox of the node
  /// @param number which of the session's stanzas
  record Counted(long entry, String owner, String session, long number) implements NodeValue {}

  /// Asks the home of `owner` whether an address exists: an account if it is a bare JID, otherwise
  /// a session. Sent again in each placement until [Answer].
  record Ask(long ask, String owner, String address) implements NodeValue {}

  /// The answer to [Ask].
  record Answer(long ask, boolean exists) implements NodeValue {}

  /// The sender is the home of the segment, and has all that moved with it.
  record Opened(int segment) implements NodeValue {}

  /// All entries of the sender's outbox below this one are SAFE.
  record Oldest(long entry) implements NodeValue {}

  // ---- between a stream and a session on different nodes

  /// A value that a stream sends to a session.
  ///
  /// @param owner the account
  /// @param link the number of the link at the stream's node
  /// @param number which of the values of all links from this node to the other, from 1 on
  record FromStream(String owner, long link, long number, StanzaBytes value) implements NodeValue {}

  /// A value that a session sends to a stream.
  ///
  /// @param link the number of the link at the stream's node
  /// @param number which of the values of all links from this node to the other, from 1 on
  record FromSession(long link, long number, StanzaBytes value) implements NodeValue {}
}
