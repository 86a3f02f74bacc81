package im.zonda.host.plugin.manifest;

import im.zonda.plugin.PluginPort;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.Set;
import java.util.regex.Pattern;

/// Manifest of a plugin: the file `plugin.toml` of its jar. Has been checked: names, bounds and the
/// version of the interface are valid.
///
/// @param name lower-case words joined by hyphens
/// @param version the version of the plugin, such as `1.2.0`
/// @param api the version of the interface for which it is built, such as `1.0`
/// @param mainClass the class that implements [im.zonda.plugin.Plugin]
/// @param title what it does, in one sentence without full stop
/// @param ports what it may do
/// @param inline whether its handlers run on the event loops of the server
/// @param timeLimit the longest call of a handler
/// @param settings its settings by name, in the order of the file
public record PluginManifest(
    String name,
    String version,
    String api,
    String mainClass,
    String title,
    Set<PluginPort> ports,
    boolean inline,
    Duration timeLimit,
    SequencedMap<String, SettingDeclaration> settings) {
  /// The name of the file.
  public static final String FILE = "plugin.toml";

  /// The maximum size of the file.
  public static final int MOST_BYTES = 64 * 1024;

  /// The maximum number of settings.
  public static final int MOST_SETTINGS = 100;

  /// The maximum length of the name of a plugin.
  public static final int MOST_NAME = 32;

  /// The time limit of a manifest that names none.
  public static final Duration TIME_LIMIT = Duration.ofMillis(100);

  private static final Pattern WORDS = Pattern.compile("[a-z][a-z0-9]*(?:-[a-z0-9]+)*");

  /// Copies the collections.
  public PluginManifest {
    ports = Set.copyOf(ports);
    settings = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(settings));
  }

  /// Whether it is the name of a plugin.
  public static boolean isName(String text) {
    return isWords(text, MOST_NAME);
  }

  /// Whether it is lower-case words joined by hyphens.
  ///
  /// @param most the maximum length
  public static boolean isWords(String text, int most) {
    return text.length() <= most && WORDS.matcher(text).matches();
  }
}
