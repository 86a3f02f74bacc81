package im.zonda.metric;

import java.util.List;

/// A label of a meter. Each of its values is a series of its own, so there are few.
///
/// @param name its name
/// @param values all values that it can have; empty if they are known at the start only, as the
///   names of caches are
public record Label(String name, List<String> values) {
  /// The most values of a label.
  public static final int MOST_VALUES = 20;

  /// The host whose module has declared the meter. [Meters] adds its value: the domain, or `all`
  /// while there are many hosts.
  public static final Label HOST = new Label("host", List.of());

  /// @throws IllegalArgumentException if there are too many values, or the name is none
  public Label {
    values = List.copyOf(values);
    if (!name.matches("[a-z]+(_[a-z]+)*") || values.size() > MOST_VALUES) {
      throw new IllegalArgumentException("no label: " + name);
    }
  }

  /// A label with these values.
  public static Label of(String name, String... values) {
    return new Label(name, List.of(values));
  }
}
