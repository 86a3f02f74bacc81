package im.zonda.module;

import im.zonda.jid.Jid;
import im.zonda.stanza.Stanza;
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

  /// The state of `home` that moves with it to another node of the cluster, in the service's own
  /// form; null if there is none. Called in the mailbox, before the home is unloaded here; must not
  /// block.
  default byte @Nullable [] leaving(T home) {
    return null;
  }

  /// What [#leaving] has given on another node. Called in the mailbox, before anything else happens
  /// there. May block.
  default void arrived(T home, byte[] state) {}

  /// Whether [#accept] may block, or take long, for that stanza. Called in the mailbox, on the
  /// sender's thread: must not block itself.
  boolean mayBlock(T home, Stanza stanza);

  /// Handles a stanza to the address or to a resource of it; the stanza's `from` is the true
  /// sender. If it throws, the sender gets an error.
  void accept(T home, Envelope envelope);

  /// Handles a stanza to the domain itself. May block for IQ requests only. Runs on several threads
  /// at once and in no order.
  void acceptForDomain(Stanza stanza);

  /// The sessions of the last run have been restored, and clients are accepted next. May block.
  default void started() {}

  /// The service ends while the server runs. Clients may still be there, of this host and of
  /// others. May block, for seconds.
  default void withdrawing() {}

  /// The network has stopped, and the sessions are about to be saved. May block, for seconds.
  default void stopping() {}
}
