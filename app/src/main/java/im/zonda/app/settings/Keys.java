package im.zonda.app.settings;

import im.zonda.app.settings.toml.Words;
import im.zonda.config.ServerConfig;
import im.zonda.config.annotation.Setting;
import im.zonda.config.annotation.Setting.Form;
import im.zonda.config.annotation.UnitText;
import im.zonda.config.limits.HostLimits;
import im.zonda.config.limits.Limits;
import im.zonda.config.monitoring.Traces;
import im.zonda.xml.XmlLimits;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// All configuration keys, read from the records of `im.zonda.config`.
final class Keys {
  /// Of the XML limits, whose record is in `im.zonda.xml` and has no annotations. The maxima are
  /// below what the server reads again from where it keeps stanzas, which it wraps and extends.
  private record XmlLimit(String meaning, long max) {}

  private static final Map<String, XmlLimit> XML_LIMITS =
      Map.of(
          "maxBytes",
          new XmlLimit("maximum size of one stanza, or of the stream header", 8 << 20),
          "maxDepth",
          new XmlLimit("maximum nesting depth of elements", 128),
          "maxAttributes",
          new XmlLimit(
              "maximum number of attributes of one element, namespace declarations included", 256),
          "maxNamespaceDeclarations",
          new XmlLimit("maximum number of namespace declarations in scope", 128),
          "maxElements",
          new XmlLimit("maximum number of elements in one stanza, itself included", 65_536),
          "maxNameBytes",
          new XmlLimit(
              "maximum size of one element or attribute name in bytes, prefix included", 4_096));

  /// The keys of each record as if it were no section: reflection is slow to look them up again.
  private static final ClassValue<Map<String, Key>> OWN =
      new ClassValue<>() {
        @Override
        protected Map<String, Key> computeValue(Class<?> record) {
          return Collections.unmodifiableMap(of(record, List.of()));
        }
      };

  private static final class Leaves {
    private static final List<Key> ALL = List.copyOf(leaves(ServerConfig.class));
  }

  private Keys() {}

  /// One key.
  ///
  /// @param component the record component that holds its value
  /// @param path the names of its sections, and its own
  /// @param meaning the description
  /// @param form the syntax of the value
  /// @param min the minimum of a number
  /// @param max the maximum of a number
  record Key(
      RecordComponent component, List<String> path, String meaning, Form form, long min, long max) {

    String name() {
      return path.getLast();
    }

    /// The path with dots, for messages.
    String dotted() {
      return String.join(".", path);
    }

    Class<?> type() {
      return component.getType();
    }

    boolean isSection() {
      return type().isRecord();
    }

    boolean isMap() {
      return Map.class.isAssignableFrom(type());
    }

    /// Whether its value is a map by the names of headers, not by domains.
    boolean isOfHeaders() {
      return component.getDeclaringRecord() == Traces.Otlp.class && isMap();
    }

    boolean isCollection() {
      return Collection.class.isAssignableFrom(type());
    }

    /// The type of a map's values.
    Class<?> valueType() {
      Type[] arguments = ((ParameterizedType) component.getGenericType()).getActualTypeArguments();
      return (Class<?>) arguments[arguments.length - 1];
    }

    /// The component's value in `holder`.
    @Nullable Object of(Object holder) {
      try {
        return component.getAccessor().invoke(holder);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("cannot read " + component, e);
      }
    }
  }

  /// The keys of a record, in the order of its components; `path` is the record's own path.
  static Map<String, Key> of(Class<?> record, List<String> path) {
    Map<String, Key> keys = new LinkedHashMap<>();
    for (RecordComponent component : record.getRecordComponents()) {
      Key key = key(component, path);
      keys.put(key.name(), key);
    }
    return keys;
  }

  /// The value of a key of a configuration.
  static @Nullable Object valueOf(Key key, ServerConfig config) {
    Object value = config;
    for (String name : key.path()) {
      if (value == null) {
        return null;
      }
      value = Objects.requireNonNull(OWN.get(value.getClass()).get(name)).of(value);
    }
    return value;
  }

  /// All keys of a server that have a value, without those of hosts.
  static List<Key> leaves() {
    return Leaves.ALL;
  }

  /// All keys of a configuration that have a value, without those in maps.
  static List<Key> leaves(Class<?> config) {
    List<Key> leaves = new ArrayList<>();
    addLeaves(config, List.of(), leaves);
    return leaves;
  }

  private static void addLeaves(Class<?> record, List<String> path, List<Key> leaves) {
    for (Key key : of(record, path).values()) {
      if (key.isSection()) {
        addLeaves(key.type(), key.path(), leaves);
      } else if (!key.isMap()) {
        leaves.add(key);
      }
    }
  }

  /// The keys of a server whose value is a map: settings by domain.
  static List<Key> maps() {
    List<Key> maps = new ArrayList<>();
    addMaps(ServerConfig.class, List.of(), maps);
    return maps;
  }

  private static void addMaps(Class<?> record, List<String> path, List<Key> maps) {
    for (Key key : of(record, path).values()) {
      if (key.isSection()) {
        addMaps(key.type(), key.path(), maps);
      } else if (key.isMap()) {
        maps.add(key);
      }
    }
  }

  /// The description of a component; null if it has none. Limits of a host have that of the
  /// server's.
  private static @Nullable Setting setting(RecordComponent component) {
    if (component.getDeclaringRecord() != HostLimits.class) {
      return component.getAnnotation(Setting.class);
    }
    for (RecordComponent limit : Limits.class.getRecordComponents()) {
      if (limit.getName().equals(component.getName())) {
        return limit.getAnnotation(Setting.class);
      }
    }
    return null;
  }

  private static Key key(RecordComponent component, List<String> path) {
    Setting setting = setting(component);
    List<String> keyPath = new ArrayList<>(path);
    if (setting != null) {
      keyPath.add(setting.key().isEmpty() ? Words.dashed(component.getName()) : setting.key());
      return new Key(
          component,
          List.copyOf(keyPath),
          setting.value(),
          setting.form(),
          setting.min(),
          setting.max());
    }
    XmlLimit limit = XML_LIMITS.get(component.getName());
    if (component.getDeclaringRecord() != XmlLimits.class || limit == null) {
      throw new IllegalStateException(component + " has no @Setting");
    }
    keyPath.add(Words.dashed(component.getName()));
    Form form = component.getName().equals("maxBytes") ? Form.BYTES : Form.PLAIN;
    return new Key(component, List.copyOf(keyPath), limit.meaning(), form, 1, limit.max());
  }

  /// The expected syntax, for messages and the reference.
  static String expectation(Key key) {
    if (key.isCollection()) {
      return "a list of " + plural(key.form());
    }
    return switch (key.form()) {
      case BYTES -> "a number of bytes such as 4096 or \"256KiB\"" + range(key);
      case MILLIS -> "a duration such as \"20ms\"" + range(key);
      case PER_HOUR -> "a rate such as \"5/h\", or \"off\"";
      case ADDRESS -> "an address such as \"127.0.0.1:5222\" or \"[::1]:5222\"";
      case DOMAIN -> "a domain such as \"example.org\"";
      case DOMAIN_PATTERN -> "a domain such as \"example.org\" or \"*.example.org\"";
      case ROUTE -> "a server such as \"xmpp.example.org:5269\" or \"tls://192.0.2.1:5270\"";
      case URI -> "a URI such as \"mailto:admin@example.org\"";
      case DATABASE ->
          "\"sqlite:zonda.db\", \"postgresql://localhost/zonda\" or \"mariadb://localhost/zonda\","
              + " without user and password";
      case SECRET -> "a string";
      case MODULE -> "the name of a module";
      case PLAIN -> plainExpectation(key);
    };
  }

  private static String plainExpectation(Key key) {
    Class<?> type = key.type();
    if (type.isEnum()) {
      List<String> words = new ArrayList<>();
      for (Object constant : type.getEnumConstants()) {
        words.add('"' + Scalars.word(constant) + '"');
      }
      return "one of " + String.join(", ", words);
    }
    if (type == boolean.class) {
      return "true or false";
    }
    if (type == Duration.class) {
      return "a duration such as \"30s\"" + range(key);
    }
    if (Scalars.isWholeNumber(type)) {
      return "a whole number" + range(key);
    }
    if (type == java.nio.file.Path.class) {
      return "a path";
    }
    return "a string";
  }

  private static String plural(Form form) {
    return switch (form) {
      case ADDRESS -> "addresses such as [\"127.0.0.1:5222\", \"[::1]:5222\"]";
      case DOMAIN -> "domains such as [\"example.org\"]";
      case DOMAIN_PATTERN -> "domains such as [\"example.org\", \"*.example.org\"]";
      case URI -> "URIs such as [\"mailto:admin@example.org\"]";
      case MODULE -> "names of modules such as [\"ping\"]";
      case PLAIN, BYTES, MILLIS, PER_HOUR, DATABASE, SECRET, ROUTE -> "strings";
    };
  }

  private static String range(Key key) {
    boolean time = key.type() == Duration.class || key.form() == Form.MILLIS;
    String min = time ? UnitText.of(Duration.ofMillis(key.min())) : Long.toString(key.min());
    if (key.max() == Integer.MAX_VALUE) {
      return key.min() == 0 ? "" : ", at least " + min;
    }
    String max = time ? UnitText.of(Duration.ofMillis(key.max())) : Long.toString(key.max());
    return ", from " + min + " to " + max;
  }
}
