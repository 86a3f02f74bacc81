package im.zonda.console.chart;

import im.zonda.console.view.Section;
import im.zonda.console.view.Tone;
import java.util.List;

/// The subject of a page of charts.
public interface Topic {
  /// A sentence and its meaning.
  record Saying(Tone tone, String text) {}

  /// A list that an operation gives.
  ///
  /// @param operation the name of the operation
  /// @param list the component of its result
  /// @param text the key of its heading; the key of what is said if it is empty ends with `.none`
  record Listed(String operation, String list, String text) {}

  /// Its word in the address and in texts.
  String word();

  /// Its charts.
  List<Charts.Group> groups();

  /// The meters that it needs.
  default List<String> metrics() {
    return Charts.metrics(groups());
  }

  /// What is most important.
  Saying saying(Inquiry inquiry, Steps steps);

  /// What is there besides the charts.
  default List<Section> sections(Inquiry inquiry, Steps steps) {
    return List.of();
  }

  /// Lists that are there besides the charts.
  default List<Listed> lists() {
    return List.of();
  }

  /// The names of operations that are offered.
  default List<String> actions() {
    return List.of();
  }
}
