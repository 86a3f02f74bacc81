package im.zonda.link;

import im.zonda.stanza.Stanza;

/// Where streams with other servers report what concerns the queues of their domain pairs.
///
/// A [ServerStreamLink] calls these methods on its stream's thread, one after another; several
/// links call at the same time. They return at once, and may call the link. For one link and pair
/// the order is: [#accepted] and [#ready] in any order and each at most once; then [#received] and
/// [#acknowledged]; [#ended] is the last call.
public interface ServerStreamGate {
  /// The other server has proved that it speaks for the remote domain: stanzas of the pair may come
  /// in.
  void accepted(DomainPair pair, ServerStreamLink link);

  /// The link can carry stanzas of the pair to the other server now: it has accepted us, or the
  /// stream that it has opened is bidirectional (XEP-0288).
  void ready(DomainPair pair, ServerStreamLink link);

  /// A stanza has come in. Its `from` is an address of the remote domain and its `to` one of the
  /// local domain.
  ///
  /// @param number to be given to [ServerStreamLink#handled] once the stanza has been handled; from
  ///   1 on, over all pairs of the link
  void received(DomainPair pair, Stanza stanza, long number, ServerStreamLink link);

  /// A stanza has come in that cannot be read.
  ///
  /// @param answer the error for its sender, from an address of the local domain
  void answered(DomainPair pair, Stanza answer, ServerStreamLink link);

  /// The stanzas of the pair that were delivered to the link with numbers up to this one need not
  /// be kept: the other server has acknowledged them (XEP-0198), or, where it does not support
  /// that, their bytes have left.
  void acknowledged(DomainPair pair, long number, ServerStreamLink link);

  /// The connection of a link broke, and the link waits for another one on which to be resumed
  /// (XEP-0198, section 5). Called for each pair that is ready. What is delivered meanwhile waits
  /// in the link. To continue a link that this server has opened, the home connects again for the
  /// pair; other servers resume theirs. When resumption fails or takes too long, [#ended] follows.
  void interrupted(DomainPair pair, ServerStreamLink link);

  /// The link goes on after [#interrupted]; it has sent again what was not acknowledged.
  void resumed(DomainPair pair, ServerStreamLink link);

  /// An attempt to open a stream for the pair, or to have the pair accepted on an open stream, has
  /// failed before [#ready].
  void failed(DomainPair pair, ServerStreamFailure failure);

  /// The link no longer carries the pair. What was delivered to it and not acknowledged has perhaps
  /// not arrived. Where the other server does not acknowledge stanzas, this comes only after the
  /// last output has left.
  ///
  /// @param failure why, in words for the administrator
  void ended(DomainPair pair, ServerStreamLink link, ServerStreamFailure failure);
}
