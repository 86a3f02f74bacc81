package im.zonda.module;

import im.zonda.jid.Jid;
import im.zonda.stanza.Stanza;

/// Answers for a domain of its own, such as `rooms.example.org`.
///
/// Every address with a local part under the domain has a home with a mailbox, as accounts have:
/// what concerns it is done there, one after the other, so that it has one order for all. What such
/// a home holds is a `T`.
///
/// @param <T> what lives at an address; it exists in memory for every address that is asked for,
///   also where there is nothing
public interface DomainService<T> {
  /// The domain.
  Jid domain();

  /// What people call the service.
  String title();

  /// Loads what lives at a bare address. May block.
  T open(Jid address);

  /// Whether nothing would be lost if `place` were forgotten now, to be opened anew when someone
  /// asks. Called in the mailbox every few seconds, so a place may tidy itself up; must not block.
  boolean canClose(T place);

  /// `place` has been forgotten, and nobody sees it again. Called in the mailbox, after [#canClose]
  /// and nothing else; must not block.
  default void closed(T place) {}

  /// Whether taking the stanza may block, or take long. Called in the mailbox before [#take], on
  /// the sender's thread: must not block itself.
  boolean mayBlock(T place, Stanza stanza);

  /// Takes a stanza addressed to the place or to a resource of it; `from` is the true sender. An
  /// exception answers the sender `internal-server-error`.
  void take(T place, Stanza stanza, Custody custody);

  /// Takes a stanza addressed to the domain itself. IQ requests may block, nothing else; many run
  /// at a time, without order.
  void takeForDomain(Stanza stanza);

  /// The server has restored the sessions of its last run and opens its doors next. May block.
  default void started() {}

  /// The network has stopped and the sessions are about to be saved. May block, for seconds.
  default void stopping() {}
}
