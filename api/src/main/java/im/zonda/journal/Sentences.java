package im.zonda.journal;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.MissingResourceException;
import java.util.Objects;
import java.util.ResourceBundle;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Sentences about stanzas in a language, with places for `sender`, `receiver` and `detail`.
public final class Sentences {
  private static final Pattern PLACE = Pattern.compile("\\{(sender|receiver|detail)\\}");

  private Sentences() {}

  /// Reads the sentences of a bundle in a language, and not in that of the machine instead.
  ///
  /// @throws IllegalArgumentException if there are none in the language
  public static Map<String, String> read(String bundle, String language) {
    ResourceBundle.Control onlyThat =
        ResourceBundle.Control.getNoFallbackControl(ResourceBundle.Control.FORMAT_PROPERTIES);
    try {
      ResourceBundle found = ResourceBundle.getBundle(bundle, Locale.of(language), onlyThat);
      Map<String, String> texts = new HashMap<>();
      found.keySet().forEach(key -> texts.put(key, found.getString(key)));
      return texts;
    } catch (MissingResourceException e) {
      throw new IllegalArgumentException("no texts in " + language, e);
    }
  }

  /// A sentence with its places filled in one pass: a value is not searched for places.
  ///
  /// @param sender an address, or null if it is not known
  /// @param receiver an address, or null if it is not known
  public static String fill(
      String text, @Nullable String sender, @Nullable String receiver, @Nullable String detail) {
    return PLACE
        .matcher(text)
        .replaceAll(found ->
            Matcher.quoteReplacement(
                switch (found.group(1)) {
                  case "sender" -> Objects.requireNonNullElse(sender, "?");
                  case "receiver" -> Objects.requireNonNullElse(receiver, "?");
                  default -> Objects.requireNonNullElse(detail, "?");
                }));
  }
}
