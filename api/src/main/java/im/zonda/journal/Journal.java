package im.zonda.journal;

import im.zonda.jid.Jid;
import im.zonda.stanza.Stanza;
import org.jspecify.annotations.Nullable;

/// Record of the stanzas that were not delivered as usual. A port. Any thread may call; nothing
/// blocks. Under load entries are dropped and counted.
@FunctionalInterface
public interface Journal {
  /// Records nothing.
  Journal NONE = (_, _, _, _, _, _) -> {};

  /// Records a decision. Stanza errors, and presence that is no subscription request, are not
  /// recorded.
  ///
  /// @param sender who has sent it
  /// @param identity by which all nodes recognise the stanza (`Origin.identity()`), or 0
  /// @param detail what takes the place of `{detail}` in the text of the reason, or null; never
  ///   contents of the stanza
  void record(
      Place place,
      Reason reason,
      Stanza stanza,
      @Nullable Jid sender,
      long identity,
      @Nullable String detail);

  /// The same, sent by the `from` of the stanza.
  default void record(Place place, Reason reason, Stanza stanza, @Nullable String detail) {
    record(place, reason, stanza, stanza.from(), 0, detail);
  }
}
