package im.zonda.app.settings;

import im.zonda.app.settings.plugin.PluginSetting;
import im.zonda.app.settings.toml.Place;
import im.zonda.app.settings.toml.TomlString;
import im.zonda.config.ExternalService;
import im.zonda.config.S2s;
import im.zonda.config.ServerConfig;
import im.zonda.config.edge.EdgeConfig;
import im.zonda.config.limits.HostLimits;
import im.zonda.config.plugin.PluginValues;
import im.zonda.host.plugin.manifest.PluginManifest;
import im.zonda.host.plugin.manifest.SettingDeclaration;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Writes the effective configuration as TOML, and the reference of all keys.
public final class SettingsText {
  private static final String[] BEFORE_TABLE = {
    "# Configuration",
    "",
    "<!-- Generated from the records of im.zonda.config; CONTRIBUTING.md says how. -->",
    "",
    "`zonda.toml` in the current folder, or the file given by `--config`. Without a file all keys have",
    "their default values. Relative paths are relative to the folder of the file.",
    "",
    "- A duration is a string with a unit: `\"20ms\"`, `\"30s\"`, `\"5m\"`, `\"1h\"`, `\"1d\"`.",
    "- A size is a number of bytes or a string with a unit: `4096`, `\"256KiB\"`, `\"4MiB\"`.",
    "- `\"${file:/path}\"` is replaced by the content of that file, without the line end.",
    "- Every key that does not belong to one domain can be set by an environment variable, which",
    "  overrides the file:",
    "  `ZONDA_C2S__LISTEN=127.0.0.1:5222,[::1]:5222`. Two underscores separate section and key, one",
    "  underscore stands for a dash, commas separate the elements of a list.",
    "",
    "Each file `hosts.d/DOMAIN.toml` beside `zonda.toml` adds a host; its keys are those of",
    "`[host.\"DOMAIN\"]`.",
    "",
    "`zonda config check` reports all errors at once; `zonda config show` prints the effective",
    "configuration and the origin of each value. `zonda config reload` takes over changes of `hosts`,",
    "`[log]`, and everything that a host may have of its own; it names what needs a restart."
  };

  private static final String[] EXTERNAL_EXAMPLE = {
    "",
    "A STUN and a TURN server for all hosts, and another TURN server for one of them:",
    "",
    "```toml",
    "[services.external.stun]",
    "type = \"stun\"",
    "host = \"stun.example.org\"",
    "port = 3478",
    "transport = \"udp\"",
    "",
    "[services.external.turn]",
    "type = \"turn\"",
    "host = \"turn.example.org\"",
    "port = 3478",
    "transport = \"udp\"",
    "secret = \"${file:/etc/zonda/turn-secret}\" # coturn: static-auth-secret",
    "lifetime = \"12h\"",
    "",
    "[host.\"example.net\".services.external.turn]",
    "type = \"turns\"",
    "host = \"turn.example.net\"",
    "port = 5349",
    "transport = \"tcp\"",
    "secret = \"${file:/etc/zonda/turn-secret-net}\"",
    "```"
  };

  private static final String[] PLUGINS = {
    "",
    "## `[plugin.NAME]`",
    "",
    "Settings of the plugin of that name. It declares their names, types and bounds itself:",
    "`zonda plugin show NAME` and the console list them, and",
    "[plugins.md](plugins.md) has those of the plugins that come with Zonda. Values are written",
    "as everywhere in this file. `[host.\"example.org\".plugin.NAME]` changes single ones for a host.",
    "The environment variable of `plugin.content-filter.mask` is",
    "`ZONDA_PLUGIN__CONTENT_FILTER__MASK`. `zonda config check` warns of a plugin that is not added.",
    "",
    "```toml",
    "[plugin.content-filter]",
    "mask = \"#\"",
    "",
    "[host.\"example.net\".plugin.content-filter]",
    "mask = \"*\"",
    "```"
  };

  private static final String[] PLUGINS_OF_HOST = {
    "",
    "`[host.\"example.org\".plugin.NAME]`: settings of a plugin for this host, which count before",
    "those of the server; the keys of `[plugin.NAME]`."
  };

  private static final String[] BEFORE_PLUGINS = {
    "# Settings of plugins",
    "",
    "<!-- Generated from the manifests of the plugins; CONTRIBUTING.md says how. -->",
    "",
    "What the plugins declare that come with Zonda. The section `[plugin.NAME]` of",
    "[the configuration](config.md) sets it for the server, `[host.\"DOMAIN\".plugin.NAME]` for a host."
  };

  private static final String[] BEFORE_EDGE_TABLES = {
    "# Configuration of an edge",
    "",
    "<!-- Generated from the records of im.zonda.config; CONTRIBUTING.md says how. -->",
    "",
    "The file that `zonda edge --config FILE` reads ([edges](../edge.md)). It has the form of the server's",
    "configuration ([reference](config.md)), and is read at the start. Environment variables do not",
    "change it. `edge.core` or `edge.cores`, `edge.certificate`, `edge.key`, `edge.ca`, `tls.certificate`",
    "and `tls.key` must be set."
  };

  private SettingsText() {}

  /// The effective configuration as TOML, with the origin of each value.
  public static String show(Settings settings) {
    StringBuilder out = new StringBuilder();
    section(out, settings, settings.config(), ServerConfig.class, List.of());
    return out.toString();
  }

  private static void section(
      StringBuilder out, Settings settings, Object holder, Class<?> type, List<String> path) {
    List<Keys.Key> inner = new ArrayList<>();
    for (Keys.Key key : Keys.of(type, path).values()) {
      Object value = key.of(holder);
      if (key.isSection() || key.isMap()) {
        inner.add(key);
      } else if (value != null) {
        String line = key.name() + " = " + written(key, value);
        line(out, line, settings.places().get(key.dotted()));
      }
    }
    for (Keys.Key key : inner) {
      Object value = key.of(holder);
      if (key.isMap() && key.valueType() == PluginValues.class) {
        plugins(out, settings, key, value == null ? Map.of() : (Map<?, ?>) value);
      } else if (key.isMap() && !key.valueType().isRecord()) {
        values(out, settings, key, (Map<?, ?>) Objects.requireNonNull(value));
      } else if (key.isMap() && value != null) {
        new TreeMap<>((Map<?, ?>) value)
            .forEach((name, entry) -> entry(out, settings, key, (String) name, entry));
      } else if (value != null) {
        header(out, key.path());
        section(out, settings, value, key.type(), key.path());
      }
    }
  }

  /// The sections of plugins: for the server those of all that are added, with defaults.
  private static void plugins(StringBuilder out, Settings settings, Keys.Key key, Map<?, ?> own) {
    boolean all = key.path().size() == 1;
    Set<String> names = new TreeSet<>(all ? settings.plugins().byName().keySet() : Set.of());
    own.keySet().forEach(name -> names.add((String) name));
    for (String name : names) {
      PluginValues written = (PluginValues) own.get(name);
      List<PluginSetting> shown =
          PluginSetting.of(
                  settings.plugins().of(name), written == null ? PluginValues.NONE : written)
              .stream()
              .filter(each -> all || each.set())
              .toList();
      if (written != null || !shown.isEmpty()) {
        List<String> path = new ArrayList<>(key.path());
        path.add(name);
        header(out, path);
        String dotted = String.join(".", path);
        shown.forEach(each ->
            line(
                out,
                keyed(each.name()) + " = " + each.value(),
                settings.places().get(dotted + "." + each.name())));
      }
    }
  }

  /// A section whose keys are domains.
  private static void values(StringBuilder out, Settings settings, Keys.Key key, Map<?, ?> values) {
    if (!values.isEmpty()) {
      header(out, key.path());
    }
    new TreeMap<>(values)
        .forEach((name, value) ->
            line(
                out,
                TomlString.quoted((String) name) + " = " + Scalars.write(key, value),
                settings.places().get(key.dotted() + "." + name)));
  }

  private static void line(StringBuilder out, String line, @Nullable Place place) {
    out.append(line)
        .append(" ".repeat(Math.max(1, 50 - line.length())))
        .append("# ")
        .append(place == null ? "default" : place)
        .append('\n');
  }

  private static void entry(
      StringBuilder out, Settings settings, Keys.Key key, String name, Object value) {
    List<String> path = new ArrayList<>(key.path());
    path.add(name);
    header(out, path);
    section(out, settings, value, key.valueType(), path);
  }

  private static void header(StringBuilder out, List<String> path) {
    List<String> parts = new ArrayList<>();
    path.forEach(part -> parts.add(keyed(part)));
    out.append("\n[").append(String.join(".", parts)).append("]\n");
  }

  private static String keyed(String name) {
    return name.matches("[A-Za-z0-9_-]+") ? name : TomlString.quoted(name);
  }

  private static String written(Keys.Key key, Object value) {
    if (!(value instanceof Collection<?> values)) {
      return Scalars.write(key, value);
    }
    List<String> parts = new ArrayList<>();
    for (Object element : values) {
      parts.add(TomlString.quoted(element.toString()));
    }
    if (!(value instanceof List<?>)) {
      parts.sort(null);
    }
    return "[" + String.join(", ", parts) + "]";
  }

  /// The reference: every key with its default, what it takes and what it means.
  public static String reference() {
    StringBuilder out = new StringBuilder();
    for (String line : BEFORE_TABLE) {
      out.append(line).append('\n');
    }
    ServerConfig defaults = ServerConfig.defaults(List.of("localhost"), Path.of("data"));
    referenceSection(out, "", "", ServerConfig.class, defaults);
    return out.toString();
  }

  /// The reference of the configuration of an edge.
  public static String edgeReference() {
    StringBuilder out = new StringBuilder();
    for (String line : BEFORE_EDGE_TABLES) {
      out.append(line).append('\n');
    }
    EdgeConfig defaults = EdgeConfig.defaults();
    for (Keys.Key section : Keys.of(EdgeConfig.class, List.of()).values()) {
      Object value = Objects.requireNonNull(section.of(defaults));
      referenceSection(out, section.name(), section.meaning(), section.type(), value);
    }
    return out.toString();
  }

  /// The reference of the settings of plugins.
  ///
  /// @param shipped their manifests
  public static String pluginReference(List<PluginManifest> shipped) {
    StringBuilder out = new StringBuilder();
    for (String line : BEFORE_PLUGINS) {
      out.append(line).append('\n');
    }
    for (PluginManifest each : shipped) {
      out.append("\n## `[plugin.").append(each.name()).append("]`\n\n");
      out.append(each.title()).append(".\n");
      String table = "\n| key | default | takes | meaning |\n|---|---|---|---|\n";
      for (SettingDeclaration setting : each.settings().values()) {
        out.append(table)
            .append("| `")
            .append(setting.name())
            .append("` | `")
            .append(cell(PluginSetting.toml(setting, setting.usual())))
            .append("` | ")
            .append(cell(setting.expectation()))
            .append(" | ")
            .append(cell(setting.doc()))
            .append(" |\n");
        table = "";
      }
    }
    return out.toString();
  }

  private static String cell(String text) {
    return text.replace("|", "\\|");
  }

  private static void referenceSection(
      StringBuilder out, String title, String meaning, Class<?> type, Object defaults) {
    String path = title.replace("\"example.org\"", "example.org");
    out.append("\n## ").append(title.isEmpty() ? "At the top" : "`[" + title + "]`").append("\n\n");
    if (!meaning.isEmpty()) {
      out.append(capitalised(meaning)).append(".\n\n");
    }
    String table = "| key | default | takes | meaning |\n|---|---|---|---|\n";
    List<Keys.Key> inner = new ArrayList<>();
    for (Keys.Key key : Keys.of(type, path.isEmpty() ? List.of() : List.of(path)).values()) {
      if (key.isSection() || key.isMap()) {
        inner.add(key);
        continue;
      }
      Object value = key.of(defaults);
      out.append(table)
          .append("| `")
          .append(key.name())
          .append("` | ")
          .append(value == null ? "" : "`" + written(key, value) + "`")
          .append(" | ")
          .append(cell(Keys.expectation(key)))
          .append(" | ")
          .append(cell(key.meaning()))
          .append(" |\n");
      table = "";
    }
    for (Keys.Key key : inner) {
      String name = title.isEmpty() ? key.name() : title + "." + key.name();
      Object value = key.of(defaults);
      if (key.isMap()) {
        referenceMap(out, name, key);
      } else if (value != null) {
        referenceSection(out, name, key.meaning(), key.type(), value);
      } else {
        out.append("\n`[")
            .append(name)
            .append("]`: ")
            .append(key.meaning())
            .append("; ")
            .append(keysOf(key))
            .append(" of `[")
            .append(key.name())
            .append("]`.\n");
      }
    }
  }

  private static void referenceMap(StringBuilder out, String name, Keys.Key key) {
    Class<?> type = key.valueType();
    if (type == PluginValues.class) {
      String[] lines = key.path().size() == 1 ? PLUGINS : PLUGINS_OF_HOST;
      for (String line : lines) {
        out.append(line).append('\n');
      }
      return;
    }
    if (type == ExternalService.class) {
      referenceSection(out, name + ".turn", key.meaning(), type, ExternalService.NONE);
      for (String line : EXTERNAL_EXAMPLE) {
        out.append(line).append('\n');
      }
      return;
    }
    if (type.isRecord()) {
      Object nothing = RecordBinder.UNSET.get(type);
      if (nothing == null) {
        nothing = type == S2s.Domain.class ? S2s.Domain.NONE : ServerConfig.Host.NONE;
      }
      referenceSection(out, name + ".\"example.org\"", key.meaning(), type, nothing);
      return;
    }
    out.append("\n## `[").append(name).append("]`\n\n");
    out.append(capitalised(key.meaning()))
        .append(". Each key is ")
        .append(key.isOfHeaders() ? "the name of a header" : "a domain in quotes")
        .append("; its value is ");
    out.append(Keys.expectation(key)).append(".\n");
  }

  /// Which keys of the server's section a host may have of its own.
  private static String keysOf(Keys.Key section) {
    return section.type() == HostLimits.class
        ? Keys.of(section.type(), section.path()).keySet().stream()
            .collect(Collectors.joining("`, `", "the keys `", "`"))
        : "the keys";
  }

  private static String capitalised(String text) {
    return Character.toUpperCase(text.charAt(0)) + text.substring(1);
  }
}
