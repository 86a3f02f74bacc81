package im.zonda.web;

import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The texts of all languages.
///
/// @param languages by code
record Texts(Map<String, Language> languages) {
  /// Reads all of them.
  static Texts read() {
    return new Texts(
        Language.CODES.stream().collect(Collectors.toMap(Function.identity(), Language::read)));
  }

  /// The language for a reader.
  ///
  /// @param header the header field `Accept-Language`, or null
  Language of(@Nullable String header) {
    Language chosen = languages.get(Language.choose(header));
    if (chosen == null) {
      throw new IllegalStateException("a language without texts");
    }
    return chosen;
  }
}
