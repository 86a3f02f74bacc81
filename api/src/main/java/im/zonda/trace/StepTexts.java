package im.zonda.trace;

import im.zonda.journal.ReasonTexts;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.MissingResourceException;
import java.util.Objects;
import java.util.ResourceBundle;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The texts of steps in a language. Those of reasons are [ReasonTexts].
///
/// @param texts the sentence of each step by its place and verdict, and the name of each place
public record StepTexts(Map<String, String> texts) {
  /// The languages, the one for everyone else first.
  public static final List<String> LANGUAGES = ReasonTexts.LANGUAGES;

  private static final String BUNDLE = "im.zonda.trace.steps";

  private static final Pattern PLACE = Pattern.compile("\\{(sender|receiver|detail)\\}");

  /// Copies the map.
  public StepTexts {
    texts = Map.copyOf(texts);
  }

  /// Reads the texts of a language.
  ///
  /// @param language one of [#LANGUAGES]
  public static StepTexts read(String language) {
    // The language that is asked for, and not that of the machine instead.
    ResourceBundle.Control onlyThat =
        ResourceBundle.Control.getNoFallbackControl(ResourceBundle.Control.FORMAT_PROPERTIES);
    ResourceBundle bundle;
    try {
      bundle = ResourceBundle.getBundle(BUNDLE, Locale.of(language), onlyThat);
    } catch (MissingResourceException e) {
      throw new IllegalArgumentException("no texts in " + language, e);
    }
    Map<String, String> texts = new HashMap<>();
    bundle.keySet().forEach(key -> texts.put(key, bundle.getString(key)));
    return new StepTexts(texts);
  }

  /// The name of a place; its word if it has none, as of another version.
  public String place(String word) {
    return texts.getOrDefault("place." + word, word);
  }

  /// What has happened at a step; the words if there is no sentence, as of another version.
  ///
  /// @param sender an address, or null if it is not known
  /// @param receiver an address, or null if it is not known
  public String sentence(
      String place,
      String verdict,
      @Nullable String sender,
      @Nullable String receiver,
      @Nullable String detail) {
    String text = texts.get(place + "." + verdict);
    if (text == null) {
      return detail == null ? verdict : verdict + ": " + detail;
    }
    // In one pass: what is put in place is not looked at again.
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
