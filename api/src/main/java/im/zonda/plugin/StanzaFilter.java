package im.zonda.plugin;

import im.zonda.stanza.Stanza;

/// Decides on stanzas. Several threads may call at once; the stanzas of one account or room come
/// one after another.
///
/// @param <S> the kind of stanza
@Stable(since = "1.0")
@FunctionalInterface
public interface StanzaFilter<S extends Stanza> {
  /// Decides on a stanza.
  ///
  /// @throws Exception the stanza passes unchanged, and the failure is reported
  Decision<S> filter(Filtered<S> passing) throws Exception;
}
