package im.zonda.cluster.frame;

import im.zonda.cluster.placement.Stamp;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A message between nodes, within one placement. A node says it to itself in the same way.
public sealed interface NodeValue {
  /// A value between a stream and a session that has a stanza is larger than this, in bytes.
  int WITHOUT_STANZA = 16;

  /// Whether sending may be delayed and batched: true of acknowledgements and counters.
  default boolean mayWait() {
    return switch (this) {
      case Stored _, Oldest _, Copied _ -> true;
      case FromStream(var _, var _, var _, var value) -> value.size() <= WITHOUT_STANZA;
      case FromSession(var _, var _, var value) -> value.size() <= WITHOUT_STANZA;
      case Route _, Ask _, Answer _, SessionHandled _, Removed _, Posted _ -> false;
      case Collect _, HeldEnd _, AlreadyHandled _, Copy _, Copies _, Opened _ -> false;
    };
  }

  /// About how many bytes it has: those of the stanza or state in it.
  default int size() {
    return switch (this) {
      case Route(var _, var _, var stanza, var _, var _, var _) -> stanza.bytes().size();
      case FromStream(var _, var _, var _, var value) -> value.size();
      case FromSession(var _, var _, var value) -> value.size();
      case Posted(var _, var _, var value) -> value.size();
      case Copy(var _, var _, var _, var _, var _, var state) -> state == null ? 0 : state.size();
      case Stored _, Oldest _, Ask _, Answer _, SessionHandled _, Removed _ -> 0;
      case Collect _, HeldEnd _, AlreadyHandled _, Copies _, Copied _, Opened _ -> 0;
    };
  }

  /// A value for the home of `owner`, which waits while the home moves to the receiver.
  sealed interface ToHome extends NodeValue {
    /// The bare JID, room or other name that decides on the segment.
    String owner();
  }

  // ---- source to home

  /// A stanza for the owner. Sent again in each placement until [Stored].
  ///
  /// @param entry its number in the outbox of the node
  /// @param identity by which the message log recognises it ([im.zonda.store.StanzaIdentity]); 0 if
  ///   it cannot
  /// @param age if a member that may have handled it is gone: how many milliseconds ago it was sent
  ///   first, at least 1; otherwise 0
  /// @param trace by which its steps are found if it is traced; otherwise 0
  record Route(long entry, String owner, RoutedStanza stanza, long identity, long age, long trace)
      implements ToHome {
    /// A stanza that is not traced.
    public Route(long entry, String owner, RoutedStanza stanza, long identity, long age) {
      this(entry, owner, stanza, identity, age, 0);
    }

    /// The same, so long after it was sent to a member that is gone.
    public Route again(long millis) {
      return new Route(entry, owner, stanza, identity, Math.max(1, millis), trace);
    }
  }

  /// The value of that entry has been handled: its sender need not keep it any longer.
  record Stored(long entry) implements NodeValue {}

  // ---- change of ownership

  /// A new home asks each member for the copies that it has of a segment.
  record Collect(int segment) implements NodeValue {}

  /// All copies have been sent.
  record HeldEnd(int segment) implements NodeValue {}

  /// Stanzas of a source that the former home of a segment has accepted; sent before [HeldEnd]. The
  /// new home ignores their repetitions, unless they were in progress at a member that is gone.
  ///
  /// @param oldest all entries of the source below this one have been handled
  /// @param by the member at which they are in progress; empty if that is the sender of this value;
  ///   [#HANDLED] if they have been handled
  record AlreadyHandled(int segment, String source, long oldest, Set<Long> entries, String by)
      implements NodeValue {
    /// No member has this name, so a node of an earlier version takes the stanzas for handled, too.
    public static final String HANDLED = "-";
  }

  /// A part of the state of a home. The node of the home sends it to the standby when it has
  /// changed; each member that has copies sends them to a new home of the segment, before
  /// [HeldEnd].
  ///
  /// @param term the placement in which the node that has written it became the home
  /// @param version numbers the changes of a term
  /// @param key which part of the home's state
  /// @param state null if the part was removed
  record Copy(
      int segment, Stamp term, long version, String home, String key, @Nullable StanzaBytes state)
      implements NodeValue {}

  /// The sender has sent its copies of a term: to the standby all of the home, to a new home what
  /// it has.
  ///
  /// @param version all changes up to this one are in them
  /// @param complete whether nothing is missing; otherwise they are only the changes that have
  ///   arrived
  record Copies(int segment, Stamp term, long version, boolean complete) implements NodeValue {}

  /// The standby has the changes of a term up to this version.
  ///
  /// @param complete whether it has all of the home's state
  record Copied(int segment, Stamp term, long version, boolean complete) implements NodeValue {}

  /// A stanza of a session that has moved has been handled. Sent again in each placement until
  /// [Stored].
  ///
  /// @param entry its number in the outbox of the node
  /// @param number which of the session's stanzas
  record SessionHandled(long entry, String owner, String session, long number) implements ToHome {}

  /// Asks the home of `owner` whether an address exists: an account if it is a bare JID, otherwise
  /// a session. Sent again in each placement until [Answer].
  record Ask(long ask, String owner, String address) implements ToHome {}

  /// The answer to [Ask].
  record Answer(long ask, boolean exists) implements NodeValue {}

  /// The sender is the home of the segment, and its standby has confirmed a full replica: older
  /// ones are no longer needed.
  record Opened(int segment) implements NodeValue {}

  /// All entries of the sender's outbox below this one have been handled.
  record Oldest(long entry) implements NodeValue {}

  // ---- between a stream and a session on different nodes

  /// A value that a stream sends to a session.
  ///
  /// @param owner the account
  /// @param link the number of the link at the stream's node
  /// @param number which of the values of all links from this node to the other, from 1 on
  record FromStream(String owner, long link, long number, StanzaBytes value) implements ToHome {}

  /// A value that a session sends to a stream.
  ///
  /// @param link the number of the link at the stream's node
  /// @param number which of the values of all links from this node to the other, from 1 on
  record FromSession(long link, long number, StanzaBytes value) implements NodeValue {}

  // ---- between parts of the server on different nodes

  /// A value that a part of the server sends to the same part of another node.
  ///
  /// @param owner the home that it concerns, which waits for it while its segment is gated; empty
  ///   if it concerns none
  /// @param number which of these values from this node to the other, from 1 on
  record Posted(String owner, long number, StanzaBytes value) implements ToHome {}

  /// The account of that owner has been removed. Sent again in each placement until [Stored].
  ///
  /// @param entry its number in the outbox of the node
  record Removed(long entry, String owner) implements ToHome {}
}
