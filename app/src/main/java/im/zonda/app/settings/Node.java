package im.zonda.app.settings;

import java.util.List;
import java.util.Map;

/// What was written, before anyone asks what it means.
sealed interface Node {
  /// Where it was written.
  Place place();

  /// Keys with values.
  ///
  /// @param entries by key, in the order of the file; changed by [Environment] only
  record Table(Place place, Map<String, Node> entries) implements Node {}

  /// Values.
  record Array(Place place, List<Node> values) implements Node {}

  /// One value.
  ///
  /// @param value a String, Long, Boolean, or something that no key takes
  record Scalar(Place place, Object value) implements Node {}
}
