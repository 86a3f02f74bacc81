package im.zonda.host.plugin.manifest;

import im.zonda.config.annotation.UnitText;
import im.zonda.config.plugin.PluginValue;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A setting that a plugin declares in its manifest.
///
/// @param name lower-case words joined by hyphens
/// @param type the type of its values
/// @param usual the value where the configuration has none: a text, number, flag, duration or list
///   as [#read] returns it
/// @param doc what it is, without full stop
/// @param least the minimum, of a duration in milliseconds; null for none
/// @param most the maximum, of a duration in milliseconds; null for none
/// @param values the texts that are allowed; empty for all
public record SettingDeclaration(
    String name,
    SettingType type,
    Object usual,
    String doc,
    @Nullable Long least,
    @Nullable Long most,
    List<String> values) {
  /// The maximum length of a name.
  public static final int MOST_NAME = 48;

  private static final Pattern WHOLE = Pattern.compile("-?\\d{1,18}");

  /// Copies the list.
  public SettingDeclaration {
    values = List.copyOf(values);
  }

  /// Whether the empty value of its type, which is the default of a manifest that names none, is
  /// within the bounds.
  public boolean allowsEmpty() {
    return !type.hasBounds() || isWithin(0);
  }

  /// The same setting with another default.
  public SettingDeclaration withUsual(Object other) {
    return new SettingDeclaration(name, type, other, doc, least, most, values);
  }

  /// Reads a value: a String for texts, secrets and paths, a Long, a Boolean, a Duration, or a list
  /// of Strings; null if it is not valid for this setting.
  public @Nullable Object read(PluginValue written) {
    return switch (type) {
      case TEXT -> text(written, true);
      case SECRET -> text(written, false);
      case PATH -> path(written);
      case NUMBER -> number(written);
      case FLAG -> flag(written);
      case DURATION -> duration(written);
      case TEXTS -> texts(written);
    };
  }

  private @Nullable String text(PluginValue written, boolean limited) {
    String text =
        switch (written) {
          case PluginValue.Text found -> found.text();
          case PluginValue.Variable found -> found.text();
          case PluginValue.Whole _, PluginValue.Flag _, PluginValue.Texts _ -> null;
        };
    return text == null || (limited && !allows(text)) ? null : text;
  }

  private @Nullable String path(PluginValue written) {
    String text = text(written, false);
    try {
      return text == null ? null : Path.of(text).toString();
    } catch (InvalidPathException e) {
      return null;
    }
  }

  private @Nullable Long number(PluginValue written) {
    Long number =
        switch (written) {
          case PluginValue.Whole found -> Long.valueOf(found.number());
          case PluginValue.Text found -> UnitText.bytes(found.text());
          case PluginValue.Variable found ->
              WHOLE.matcher(found.text()).matches()
                  ? Long.valueOf(found.text())
                  : UnitText.bytes(found.text());
          case PluginValue.Flag _, PluginValue.Texts _ -> null;
        };
    return number == null || !isWithin(number) ? null : number;
  }

  private static @Nullable Boolean flag(PluginValue written) {
    return switch (written) {
      case PluginValue.Flag found -> Boolean.valueOf(found.on());
      case PluginValue.Variable found ->
          found.text().equals("true")
              ? Boolean.TRUE
              : found.text().equals("false") ? Boolean.FALSE : null;
      case PluginValue.Text _, PluginValue.Whole _, PluginValue.Texts _ -> null;
    };
  }

  private @Nullable Duration duration(PluginValue written) {
    String text = text(written, false);
    Duration duration = text == null ? null : UnitText.duration(text);
    return duration == null || !isWithin(duration.toMillis()) ? null : duration;
  }

  private @Nullable List<String> texts(PluginValue written) {
    List<String> texts =
        switch (written) {
          case PluginValue.Texts found -> found.texts();
          case PluginValue.Variable found ->
              Arrays.stream(found.text().split(",", -1))
                  .map(String::strip)
                  .filter(text -> !text.isEmpty())
                  .toList();
          case PluginValue.Text _, PluginValue.Whole _, PluginValue.Flag _ -> null;
        };
    return texts == null || !texts.stream().allMatch(this::allows) ? null : texts;
  }

  private boolean allows(String text) {
    return values.isEmpty() || values.contains(text) || text.equals(usual);
  }

  private boolean isWithin(long number) {
    return (least == null || number >= least) && (most == null || number <= most);
  }

  /// What can be its value, for messages, forms and the reference.
  public String expectation() {
    return switch (type) {
      case TEXT -> values.isEmpty() ? "a text" : words("or");
      case SECRET -> "a text such as \"${file:/etc/zonda/secret}\"";
      case PATH -> "the path of a file";
      case NUMBER -> "a whole number" + range();
      case FLAG -> "true or false";
      case DURATION -> "a duration such as \"30s\"" + range();
      case TEXTS -> values.isEmpty() ? "a list of texts" : "a list of " + words("and");
    };
  }

  private String words(String join) {
    List<String> quoted = values.stream().map(word -> '"' + word + '"').toList();
    return quoted.size() == 1
        ? quoted.getFirst()
        : quoted.stream().limit(quoted.size() - 1L).collect(Collectors.joining(", "))
            + " "
            + join
            + " "
            + quoted.getLast();
  }

  private String range() {
    if (least == null && most == null) {
      return "";
    }
    if (most == null) {
      return ", at least " + bound(least);
    }
    return least == null
        ? ", at most " + bound(most)
        : ", from " + bound(least) + " to " + bound(most);
  }

  private String bound(@Nullable Long bound) {
    long number = bound == null ? 0 : bound;
    return type == SettingType.DURATION
        ? UnitText.of(Duration.ofMillis(number))
        : Long.toString(number);
  }
}
