package im.zonda.journal;

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

/// The texts of reasons in a language.
///
/// @param texts the sentence of each reason by its word, and its advice by the word with `.advice`
public record ReasonTexts(Map<String, String> texts) {
  /// The languages, the one for everyone else first.
  public static final List<String> LANGUAGES = List.of("en", "de", "es", "fr", "it");

  private static final String BUNDLE = "im.zonda.journal.reasons";

  private static final Pattern PLACE = Pattern.compile("\\{(sender|receiver|detail)\\}");

  /// Copies the map.
  public ReasonTexts {
    texts = Map.copyOf(texts);
  }

  /// Reads the texts of a language.
  ///
  /// @param language one of [#LANGUAGES]
  public static ReasonTexts read(String language) {
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
    return new ReasonTexts(texts);
  }

  /// What a reason says of a stanza.
  ///
  /// @param sender an address, or null if it is not known
  /// @param receiver an address, or null if it is not known
  public String sentence(
      Reason reason, @Nullable String sender, @Nullable String receiver, @Nullable String detail) {
    String text = texts.get(reason.word());
    if (text == null) {
      throw new IllegalStateException("no text for " + reason);
    }
    return fill(text, sender, receiver, detail);
  }

  /// What can be done; null if there is nothing.
  public @Nullable String advice(
      Reason reason, @Nullable String sender, @Nullable String receiver) {
    String text = texts.get(reason.word() + ".advice");
    return text == null ? null : fill(text, sender, receiver, null);
  }

  /// In one pass: what is put in place is not looked at again.
  private static String fill(
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
