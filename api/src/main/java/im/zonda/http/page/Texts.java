package im.zonda.http.page;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The texts of all languages.
///
/// @param languages by code
public record Texts(Map<String, Language> languages) {
  /// Reads all of them.
  ///
  /// @param beside a class in the package of which the files are
  /// @param files what the names of the files begin with, before the code of the language
  public static Texts read(Class<?> beside, List<String> files) {
    return new Texts(
        Language.CODES.stream()
            .collect(
                Collectors.toMap(Function.identity(), code -> Language.read(beside, files, code))));
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
