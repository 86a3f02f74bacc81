package im.zonda.module;

import im.zonda.jid.Jid;
import im.zonda.stanza.Stanza;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A service with a domain of its own, such as `rooms.example.org`.
///
/// Every address with a local part under the domain has a home with a mailbox, as accounts have:
/// everything for that address happens there, in order. A home holds a `T`.
///
/// @param <T> what lives at an address; it exists in memory for every address that is used, even if
///   nothing is stored there
public interface DomainService<T> {
  /// The domains that this server answers for: virtual hosts, services and components. A port; any
  /// thread may call.
  @FunctionalInterface
  interface LocalDomains {
    /// Whether the domain is one of them.
    boolean isServed(String domain);
  }

  /// The domain.
  Jid domain();

  /// The service's name for people.
  String title();

  /// Loads what lives at a bare address. May block.
  T load(Jid address);

  /// Whether nothing would be lost if `home` were unloaded now. Called in the mailbox every few
  /// seconds, so it may also remove what is out of date; must not block.
  boolean canUnload(T home);

  /// `home` has been unloaded and is not used again. Called in the mailbox; must not block.
  default void unloaded(T home) {}

  /// The state of `home` that moves with it to another node of the cluster, in parts, in the
  /// service's own form. Called in the mailbox, before the home is unloaded here; must not block.
  default Map<String, byte[]> leaving(T home) {
    return Map.of();
  }

  /// Gives `home` the state that it had on another node: what [#leaving] has returned there or, if
  /// that node has died, what [#copyChanges] has copied. Called in the mailbox, before anything
  /// else happens there. May block.
  ///
  /// @throws im.zonda.store.StoreException if the database fails; the same state is given again
  ///   before anything else happens at the home, or to another node
  default void arrived(T home, Map<String, byte[]> state) {}

  /// Keeps copies of the state of a home on another node of the cluster.
  @FunctionalInterface
  interface Copies {
    /// A part has changed.
    ///
    /// @param key which part
    /// @param state taken over; null if the part was removed
    void copy(String key, byte @Nullable [] state);
  }

  /// Copies what would move with `home` and has changed since the last call. Called in the mailbox
  /// after each task, if this server is a node of a cluster; must not block.
  ///
  /// @param all whether everything is to be copied
  default void copyChanges(T home, boolean all, Copies copies) {}

  /// Whether [#accept] may block, or take long, for that stanza. Called in the mailbox, on the
  /// sender's thread: must not block itself.
  boolean mayBlock(T home, Stanza stanza);

  /// Handles a stanza to the address or to a resource of it, or one to the domain for which
  /// [#homeOf] has named this home; the stanza's `from` is the true sender. If it throws, the
  /// sender gets an error.
  void accept(T home, Envelope envelope);

  /// The bare address of the home that handles a stanza to the domain itself: of a part of the
  /// service that clients name within the stanza. Null if [#acceptForDomain] handles it. Any thread
  /// may call, on each node of a cluster; must not block.
  default @Nullable Jid homeOf(Stanza stanza) {
    return null;
  }

  /// Handles a stanza to the domain itself. May block for IQ requests only. Runs on several threads
  /// at once and in no order.
  void acceptForDomain(Stanza stanza);

  /// The sessions of the last run have been restored, and clients are accepted next. May block.
  default void started() {}

  /// The service ends while the server runs. Clients may still be there, of this host and of
  /// others. May block, for seconds.
  default void withdrawing() {}

  /// Called after the network has stopped, before the sessions are saved. May block, for seconds.
  default void stopping() {}
}
