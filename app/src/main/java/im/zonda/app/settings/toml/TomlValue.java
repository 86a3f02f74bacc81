package im.zonda.app.settings.toml;

import java.util.List;
import java.util.Map;

/// A TOML value with its place, before it is checked against the keys.
public sealed interface TomlValue {
  /// The place in the file.
  Place place();

  /// Keys with values.
  ///
  /// @param entries by key, in the order of the file; changed by [Environment] only
  record Table(Place place, Map<String, TomlValue> entries) implements TomlValue {}

  /// Values.
  record Array(Place place, List<TomlValue> values) implements TomlValue {}

  /// One value.
  ///
  /// @param value a String, Long, Boolean, or another TOML type, which no key accepts
  record Scalar(Place place, Object value) implements TomlValue {}
}
