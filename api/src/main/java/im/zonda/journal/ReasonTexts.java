package im.zonda.journal;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The texts of reasons in a language.
///
/// @param texts the sentence of each reason by its word, and its advice by the word with `.advice`
public record ReasonTexts(Map<String, String> texts) {
  /// The languages, the one for everyone else first.
  public static final List<String> LANGUAGES = List.of("en", "de", "es", "fr", "it");

  private static final Pattern PLACE = Pattern.compile("\\{(sender|receiver|detail)\\}");

  /// Copies the map.
  public ReasonTexts {
    texts = Map.copyOf(texts);
  }

  /// Reads the texts of a language.
  ///
  /// @param language one of [#LANGUAGES]
  public static ReasonTexts read(String language) {
    String file = "reasons_" + language + ".properties";
    Properties properties = new Properties();
    try (InputStream in = ReasonTexts.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalArgumentException("no texts in " + file);
      }
      properties.load(new InputStreamReader(in, StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(file, e);
    }
    Map<String, String> texts = new HashMap<>();
    properties
        .stringPropertyNames()
        .forEach(key -> texts.put(key, Objects.requireNonNull(properties.getProperty(key))));
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
