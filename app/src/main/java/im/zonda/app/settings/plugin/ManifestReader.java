package im.zonda.app.settings.plugin;

import im.zonda.app.settings.toml.Place;
import im.zonda.app.settings.toml.Problem;
import im.zonda.app.settings.toml.SettingsException;
import im.zonda.app.settings.toml.TomlFile;
import im.zonda.app.settings.toml.TomlValue;
import im.zonda.app.settings.toml.Words;
import im.zonda.host.plugin.manifest.PluginManifest;
import im.zonda.host.plugin.manifest.SettingDeclaration;
import im.zonda.plugin.Plugin;
import im.zonda.plugin.PluginPort;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Reads the manifest of a plugin. Collects errors instead of stopping at the first.
public final class ManifestReader {
  private static final Pattern VERSION =
      Pattern.compile("\\d{1,9}\\.\\d{1,9}\\.\\d{1,9}(?:[-+][0-9A-Za-z.+-]{1,64})?");
  private static final Pattern API = Pattern.compile("(\\d{1,6})\\.(\\d{1,6})");
  private static final Pattern CLASS =
      Pattern.compile("(?:[\\p{L}_$][\\p{L}\\p{N}_$]*\\.)*[\\p{L}_$][\\p{L}\\p{N}_$]*");
  private static final int MOST_VERSION = 64;
  private static final int MOST_CLASS = 256;
  private static final int MOST_TITLE = 200;
  private static final Duration LEAST_TIME = Duration.ofMillis(1);
  private static final Duration MOST_TIME = Duration.ofSeconds(10);
  private static final Set<String> KEYS =
      Set.of(
          "name", "version", "api", "class", "title", "ports", "calls", "time-limit", "settings");

  private final TomlValue.Table root;
  private final ManifestTable table;
  private final List<Problem> problems;

  private ManifestReader(TomlValue.Table root) {
    this.root = root;
    this.problems = new ArrayList<>();
    this.table = new ManifestTable(root, "", problems);
  }

  /// Reads a manifest.
  ///
  /// @param bytes the content of `plugin.toml`
  /// @throws SettingsException with all errors; if it is for another version of the interface, with
  ///   that error only
  public static PluginManifest read(byte[] bytes) throws SettingsException {
    if (bytes.length > PluginManifest.MOST_BYTES) {
      throw failed("is larger than " + PluginManifest.MOST_BYTES + " bytes");
    }
    String text;
    try {
      text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw failed("is not UTF-8");
    }
    return new ManifestReader(TomlFile.parse(text, PluginManifest.FILE)).manifest();
  }

  private static SettingsException failed(String message) {
    return new SettingsException(
        List.of(new Problem(new Place(PluginManifest.FILE, 1, 1), message)));
  }

  private PluginManifest manifest() throws SettingsException {
    String api = api();
    for (Map.Entry<String, TomlValue> entry : root.entries().entrySet()) {
      if (!KEYS.contains(entry.getKey())) {
        table.problem(
            entry.getValue().place(),
            "unknown key " + entry.getKey() + Words.suggestion(entry.getKey(), KEYS));
      }
    }
    String name = name();
    String version = table.required("version", MOST_VERSION);
    if (version != null && !VERSION.matcher(version).matches()) {
      table.wrong("version", "three numbers such as \"1.2.0\"");
    }
    String mainClass = table.required("class", MOST_CLASS);
    if (mainClass != null && !CLASS.matcher(mainClass).matches()) {
      table.wrong("class", "the full name of a class such as \"org.example.Greeter\"");
    }
    String title = table.sentence("title", MOST_TITLE);
    Set<PluginPort> ports = ports();
    boolean inline = inline();
    Duration limit = timeLimit();
    SequencedMap<String, SettingDeclaration> settings = settings();
    if (!problems.isEmpty() || name == null || version == null || mainClass == null) {
      throw new SettingsException(ManifestTable.sorted(problems));
    }
    return new PluginManifest(
        name,
        version,
        String.valueOf(api),
        mainClass,
        String.valueOf(title),
        ports,
        inline,
        limit,
        settings);
  }

  /// The version of the interface. A manifest for another one may have keys that are not known
  /// here, which would only hide this error.
  private @Nullable String api() throws SettingsException {
    String api = table.required("api", MOST_VERSION);
    Matcher wanted = API.matcher(api == null ? "" : api);
    if (!wanted.matches()) {
      if (api != null) {
        table.wrong("api", "two numbers such as \"" + Plugin.API + "\"");
      }
      return null;
    }
    String[] have = Plugin.API.split("\\.", -1);
    if (Integer.parseInt(wanted.group(1)) != Integer.parseInt(have[0])
        || Integer.parseInt(wanted.group(2)) > Integer.parseInt(have[1])) {
      throw new SettingsException(
          List.of(
              new Problem(
                  table.place("api"),
                  "is built for version "
                      + api
                      + " of the interface, this server has "
                      + Plugin.API)));
    }
    return api;
  }

  private @Nullable String name() {
    String name = table.required("name", Integer.MAX_VALUE);
    if (name != null && !PluginManifest.isName(name)) {
      table.wrong(
          "name",
          "lower-case words joined by hyphens, at most "
              + PluginManifest.MOST_NAME
              + " characters");
    }
    return name;
  }

  private Set<PluginPort> ports() {
    Set<PluginPort> ports = EnumSet.noneOf(PluginPort.class);
    List<String> words = Arrays.stream(PluginPort.values()).map(PluginPort::word).toList();
    table.eachText(
        "ports",
        (word, place) -> {
          PluginPort port = port(word);
          if (port == null) {
            table.problem(place, "there is no port \"" + word + "\"" + portsAfter(word, words));
          } else if (!ports.add(port)) {
            table.problem(place, "ports contains \"" + word + "\" twice");
          }
        });
    return ports;
  }

  private static @Nullable PluginPort port(String word) {
    for (PluginPort each : PluginPort.values()) {
      if (each.word().equals(word)) {
        return each;
      }
    }
    return null;
  }

  private static String portsAfter(String word, List<String> words) {
    String hint = Words.suggestion(word, words);
    return hint.isEmpty() ? "; ports are " + String.join(", ", words) : hint;
  }

  private boolean inline() {
    String calls = table.text("calls");
    if (calls != null && !calls.equals("own-threads") && !calls.equals("inline")) {
      table.wrong("calls", "\"own-threads\" or \"inline\"");
    }
    return "inline".equals(calls);
  }

  private Duration timeLimit() {
    String text = table.text("time-limit");
    if (text == null) {
      return PluginManifest.TIME_LIMIT;
    }
    Duration limit = ManifestTable.duration(text);
    if (limit == null || limit.compareTo(LEAST_TIME) < 0 || limit.compareTo(MOST_TIME) > 0) {
      table.wrong("time-limit", "a duration from \"1ms\" to \"10s\"");
      return PluginManifest.TIME_LIMIT;
    }
    return limit;
  }

  private SequencedMap<String, SettingDeclaration> settings() {
    SequencedMap<String, SettingDeclaration> settings = new LinkedHashMap<>();
    TomlValue written = root.entries().get("settings");
    if (written == null) {
      return settings;
    }
    if (!(written instanceof TomlValue.Table tables)) {
      table.problem(written.place(), "settings must be tables, such as [settings.greeting]");
      return settings;
    }
    if (tables.entries().size() > PluginManifest.MOST_SETTINGS) {
      table.problem(written.place(), "has more than " + PluginManifest.MOST_SETTINGS + " settings");
      return settings;
    }
    tables
        .entries()
        .forEach((name, value) -> {
          SettingDeclaration setting = new DeclarationReader(problems).read(name, value);
          if (setting != null) {
            settings.put(name, setting);
          }
        });
    return settings;
  }
}
