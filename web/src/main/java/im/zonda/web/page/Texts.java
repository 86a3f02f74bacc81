package im.zonda.web.page;

import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The texts of all languages.
///
/// @param languages by code
public record Texts(Map<String, Language> languages) {
  /// Reads all of them.
  public static Texts read() {
    return new Texts(
        Language.CODES.stream().collect(Collectors.toMap(Function.identity(), Language::read)));
  }

  /// The language for a reader.
  ///
  /// @param header the header field `Accept-Language`, or null
  public Language of(@Nullable String header) {
    Language chosen = languages.get(Language.choose(header));
    if (chosen == null) {
      throw new IllegalStateException("a language without texts");
    }
    return chosen;
  }
}
