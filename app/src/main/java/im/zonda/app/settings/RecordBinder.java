package im.zonda.app.settings;

import im.zonda.app.settings.plugin.WrittenValue;
import im.zonda.app.settings.toml.Place;
import im.zonda.app.settings.toml.Problem;
import im.zonda.app.settings.toml.TomlString;
import im.zonda.app.settings.toml.TomlValue;
import im.zonda.app.settings.toml.Utf8File;
import im.zonda.app.settings.toml.Words;
import im.zonda.config.ExternalService;
import im.zonda.config.accounts.CertificateAccounts;
import im.zonda.config.accounts.HttpAccounts;
import im.zonda.config.accounts.JwtAccounts;
import im.zonda.config.accounts.LdapAccounts;
import im.zonda.config.accounts.ProgramAccounts;
import im.zonda.config.accounts.SqlAccounts;
import im.zonda.config.accounts.SsoRole;
import im.zonda.config.annotation.Setting.Form;
import im.zonda.config.component.ComponentDelegation;
import im.zonda.config.component.ComponentPrivilege;
import im.zonda.config.group.GroupSettings;
import im.zonda.config.plugin.PluginValue;
import im.zonda.config.plugin.PluginValues;
import im.zonda.host.plugin.manifest.PluginManifest;
import im.zonda.runtime.FailureText;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Creates the records of the configuration from TOML nodes. Collects errors instead of stopping at
/// the first.
final class RecordBinder {
  private static final int MAX_SECRET_BYTES = 65_536;
  private static final Pattern FILE = Pattern.compile("\\$\\{file:([^}]+)}");
  private static final Pattern HEADER = Pattern.compile("[A-Za-z0-9._-]{1,64}");

  /// What is not set in the sections of domains, by the type of the section; null where not listed.
  static final Map<Class<?>, Object> UNSET =
      Map.ofEntries(
          Map.entry(ComponentPrivilege.class, ComponentPrivilege.NONE),
          Map.entry(ComponentDelegation.class, ComponentDelegation.NONE),
          Map.entry(ExternalService.class, ExternalService.NONE),
          Map.entry(LdapAccounts.class, LdapAccounts.NONE),
          Map.entry(ProgramAccounts.class, ProgramAccounts.NONE),
          Map.entry(HttpAccounts.class, HttpAccounts.NONE),
          Map.entry(JwtAccounts.class, JwtAccounts.NONE),
          Map.entry(SqlAccounts.class, SqlAccounts.NONE),
          Map.entry(SsoRole.class, SsoRole.NONE),
          Map.entry(CertificateAccounts.class, CertificateAccounts.NONE),
          Map.entry(GroupSettings.class, GroupSettings.NONE));

  private final Path folder;
  private final List<Problem> problems;
  private final Map<String, Place> places = new LinkedHashMap<>();

  /// Creates a binder that reports to `problems`; relative paths are relative to `folder`.
  RecordBinder(Path folder, List<Problem> problems) {
    this.folder = folder;
    this.problems = problems;
  }

  /// The places of the keys that were set, by dotted path.
  Map<String, Place> places() {
    return places;
  }

  /// Creates a record from a table; keys that are not set have the value in `defaults`.
  ///
  /// @param prototypes the defaults for sections that are null in `defaults`, by type
  <T> T bind(
      Class<T> type,
      @Nullable T defaults,
      TomlValue.Table table,
      List<String> path,
      Map<Class<?>, Object> prototypes) {
    Map<String, Keys.Key> keys = Keys.of(type, path);
    for (Map.Entry<String, TomlValue> entry : table.entries().entrySet()) {
      if (!keys.containsKey(entry.getKey())) {
        unknown(entry.getKey(), entry.getValue().place(), path, keys.keySet());
      }
    }
    List<@Nullable Object> values = new ArrayList<>();
    for (Keys.Key key : keys.values()) {
      Object fallback = defaults == null ? null : key.of(defaults);
      TomlValue node = table.entries().get(key.name());
      values.add(node == null ? fallback : value(key, fallback, node, prototypes));
    }
    return construct(type, values);
  }

  /// Creates a map of records from a table of tables.
  <T> Map<String, T> bindMap(
      Class<T> type, TomlValue.Table table, List<String> path, Map<Class<?>, Object> prototypes) {
    Map<String, T> map = new LinkedHashMap<>();
    table
        .entries()
        .forEach((name, node) -> {
          List<String> inner = new ArrayList<>(path);
          inner.add(name);
          if (node instanceof TomlValue.Table found) {
            places.put(String.join(".", inner), found.place());
            map.put(name, bind(type, null, found, inner, prototypes));
          } else {
            problem(node.place(), dotted(inner) + " must be a section");
          }
        });
    return map;
  }

  private @Nullable Object value(
      Keys.Key key, @Nullable Object fallback, TomlValue node, Map<Class<?>, Object> prototypes) {
    places.put(key.dotted(), node.place());
    if (key.isMap() && node instanceof TomlValue.Table table) {
      return key.path().equals(List.of("host"))
          ? fallback // hosts are read by bindMap, when what they build on is known
          : byDomain(key, table);
    }
    if (key.isSection() || key.isMap()) {
      if (node instanceof TomlValue.Table table) {
        return section(key, fallback == null ? prototypes.get(key.type()) : fallback, table);
      }
      problem(node.place(), dotted(key.path()) + " must be a section" + valueLike(key));
      return fallback;
    }
    if (key.isCollection()) {
      return node instanceof TomlValue.Array array
          ? collection(key, array)
          : wrong(key, node, fallback);
    }
    if (!(node instanceof TomlValue.Scalar scalar)) {
      return wrong(key, node, fallback);
    }
    Object written = resolved(scalar);
    Object value =
        written == null ? null : Scalars.read(key, written, scalar.place().isVariable(), folder);
    return value == null ? (written == null ? fallback : wrong(key, node, fallback)) : value;
  }

  /// A hint at a key beside a section that has a value and a similar name.
  private static String valueLike(Keys.Key section) {
    List<String> path = section.path().subList(0, section.path().size() - 1);
    return Words.suggestion(
        section.name(),
        Keys.of(section.component().getDeclaringRecord(), path).values().stream()
            .filter(key -> !key.isSection() && !key.isMap())
            .map(Keys.Key::name)
            .toList());
  }

  /// Values by remote domain, or by the name of a header: records, or single values.
  private Map<String, Object> byDomain(Keys.Key key, TomlValue.Table table) {
    Map<String, Object> map = new LinkedHashMap<>();
    table
        .entries()
        .forEach((name, node) -> {
          String domain = nameIn(key, name);
          List<String> path = new ArrayList<>(key.path());
          path.add(domain == null ? name : domain);
          places.put(dotted(path), node.place());
          if (domain == null) {
            problem(node.place(), dotted(path) + ": " + name + " is no " + kindOfName(key));
          } else if (map.containsKey(domain)) {
            problem(node.place(), dotted(path) + " is set twice");
          } else {
            Object value = valueOfDomain(key, node, path);
            if (value != null) {
              map.put(domain, value);
            }
          }
        });
    return map;
  }

  private static String kindOfName(Keys.Key key) {
    if (key.valueType() == PluginValues.class) {
      return "name of a plugin";
    }
    return key.isOfHeaders() ? "name of a header" : "domain";
  }

  /// The name of an entry in the form in which it is compared; null if it cannot be one.
  private static @Nullable String nameIn(Keys.Key key, String name) {
    if (key.isOfHeaders()) {
      return HEADER.matcher(name).matches() ? name.toLowerCase(Locale.ROOT) : null;
    }
    if (key.valueType() == PluginValues.class) {
      return PluginManifest.isName(name) ? name : null;
    }
    if (key.valueType() == SsoRole.class) {
      return name; // a value of a claim, which is another's word
    }
    return key.form() == Form.SECRET ? Scalars.domainPattern(name) : Scalars.domain(name);
  }

  /// The value for one remote domain; null, and reported, if it is not valid.
  private @Nullable Object valueOfDomain(Keys.Key key, TomlValue node, List<String> path) {
    if (key.valueType().isRecord()) {
      if (node instanceof TomlValue.Table inner) {
        if (key.valueType() == PluginValues.class) {
          return pluginValues(inner, path);
        }
        return bindSection(key.valueType(), UNSET.get(key.valueType()), inner, path);
      }
      problem(node.place(), dotted(path) + " must be a section");
      return null;
    }
    Object written = node instanceof TomlValue.Scalar scalar ? resolved(scalar) : node;
    Object value = written instanceof String text ? Scalars.text(key, text, folder) : null;
    if (value == null && written != null) {
      String shown = key.form() == Form.SECRET ? "" : shown(node);
      problem(node.place(), dotted(path) + " must be " + Keys.expectation(key) + shown);
    }
    return value;
  }

  /// The section of a plugin. Its keys are checked when its manifest is known.
  private PluginValues pluginValues(TomlValue.Table table, List<String> path) {
    Map<String, PluginValue> values = new LinkedHashMap<>();
    table
        .entries()
        .forEach((name, node) -> {
          List<String> inner = new ArrayList<>(path);
          inner.add(name);
          places.put(dotted(inner), node.place());
          int before = problems.size();
          PluginValue value = WrittenValue.of(node, this::resolved);
          if (value != null) {
            values.put(name, value);
          } else if (problems.size() == before) {
            problem(
                node.place(),
                dotted(inner)
                    + " must be a text, a whole number, true or false, or a list of texts");
          }
        });
    return new PluginValues(values);
  }

  private Object section(Keys.Key key, @Nullable Object defaults, TomlValue.Table table) {
    return bindSection(key.type(), defaults, table, key.path());
  }

  private <T> T bindSection(
      Class<T> type, @Nullable Object defaults, TomlValue.Table table, List<String> path) {
    return bind(type, defaults == null ? null : type.cast(defaults), table, path, Map.of());
  }

  private Object collection(Keys.Key key, TomlValue.Array array) {
    Set<String> values = new LinkedHashSet<>();
    for (TomlValue element : array.values()) {
      Object written = element instanceof TomlValue.Scalar scalar ? resolved(scalar) : array;
      if (written == null) {
        continue;
      }
      Object value = written instanceof String text ? Scalars.text(key, text, folder) : null;
      if (value == null) {
        problem(
            element.place(),
            dotted(key.path()) + " must be " + Keys.expectation(key) + shown(element));
      } else if (!values.add((String) value)) {
        problem(element.place(), dotted(key.path()) + " contains " + value + " twice");
      }
    }
    return key.type() == Set.class ? Set.copyOf(values) : List.copyOf(values);
  }

  /// The value with `${file:…}` replaced; null if that failed, which is reported.
  private @Nullable Object resolved(TomlValue.Scalar scalar) {
    if (!(scalar.value() instanceof String text)) {
      return scalar.value();
    }
    Matcher matcher = FILE.matcher(text);
    if (!matcher.matches()) {
      return text;
    }
    Path file;
    try {
      file = folder.resolve(matcher.group(1));
    } catch (InvalidPathException e) {
      problem(scalar.place(), "cannot read " + matcher.group(1) + ": " + e.getMessage());
      return null;
    }
    try {
      if (Files.size(file) > MAX_SECRET_BYTES) {
        problem(scalar.place(), file + " is larger than " + MAX_SECRET_BYTES + " bytes");
        return null;
      }
      return Utf8File.read(file).stripTrailing();
    } catch (IOException e) {
      problem(scalar.place(), "cannot read " + matcher.group(1) + ": " + FailureText.of(e, file));
      return null;
    }
  }

  private @Nullable Object wrong(Keys.Key key, TomlValue node, @Nullable Object fallback) {
    boolean secret = key.form() == Form.SECRET || key.form() == Form.DATABASE;
    problem(
        node.place(),
        dotted(key.path()) + " must be " + Keys.expectation(key) + (secret ? "" : shown(node)));
    return fallback;
  }

  private void unknown(String name, Place place, List<String> path, Set<String> known) {
    List<String> full = new ArrayList<>(path);
    full.add(name);
    String hint = Words.suggestion(name, known);
    if (hint.isEmpty()) {
      hint =
          Keys.leaves().stream()
              .filter(key -> key.name().equals(name) && key.path().size() > 1)
              .findFirst()
              .map(key ->
                  "; it belongs in [" + dotted(key.path().subList(0, key.path().size() - 1)) + "]")
              .orElse("");
    }
    problem(place, "unknown key " + dotted(full) + hint);
  }

  private void problem(Place place, String message) {
    problems.add(new Problem(place, message));
  }

  private static String shown(TomlValue node) {
    // What stands in a variable may be a secret.
    return node instanceof TomlValue.Scalar scalar && !scalar.place().isVariable()
        ? ", not "
            + (scalar.value() instanceof String text ? TomlString.quoted(text) : scalar.value())
        : "";
  }

  private static String dotted(List<String> path) {
    return String.join(".", path);
  }

  private static <T> T construct(Class<T> type, List<@Nullable Object> values) {
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] types = new Class<?>[components.length];
    for (int i = 0; i < types.length; i++) {
      types[i] = components[i].getType();
    }
    try {
      return type.getDeclaredConstructor(types).newInstance(values.toArray());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot make " + type, e);
    }
  }
}
