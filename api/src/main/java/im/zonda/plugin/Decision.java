package im.zonda.plugin;

import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Stanza;
import org.jspecify.annotations.Nullable;

/// The decision of a filter on a stanza.
///
/// @param <S> the kind of stanza
@Stable(since = "1.0")
public sealed interface Decision<S extends Stanza> {
  /// The stanza passes unchanged.
  record Pass<S extends Stanza>() implements Decision<S> {}

  /// Another stanza passes in its place, with the same `from`, `to`, `id` and type.
  record Replace<S extends Stanza>(S stanza) implements Decision<S> {}

  /// The stanza is rejected: the sender is answered with an error.
  ///
  /// @param text for people, in English, or null
  record Reject<S extends Stanza>(ErrorCondition condition, @Nullable String text)
      implements Decision<S> {}

  /// The stanza is discarded, and its sender is not told. What was discarded, and by which plugin,
  /// is in the record of the message's way.
  record Drop<S extends Stanza>() implements Decision<S> {}

  /// The stanza passes unchanged.
  static <S extends Stanza> Decision<S> pass() {
    return new Pass<>();
  }

  /// Another stanza passes in its place.
  static <S extends Stanza> Decision<S> replace(S stanza) {
    return new Replace<>(stanza);
  }

  /// The stanza is rejected: the sender is answered with an error.
  static <S extends Stanza> Decision<S> reject(ErrorCondition condition, String text) {
    return new Reject<>(condition, text);
  }

  /// The stanza is discarded, and its sender is not told.
  static <S extends Stanza> Decision<S> drop() {
    return new Drop<>();
  }
}
