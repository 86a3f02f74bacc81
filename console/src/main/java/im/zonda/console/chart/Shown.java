package im.zonda.console.chart;

import im.zonda.console.view.Tone;
import java.util.List;

/// A page of charts.
///
/// @param sentence what is most important, with the meaning of it
/// @param stream where the page asks for what is new; empty if it does not
/// @param ranges the lengths of time to choose from
/// @param nodes the nodes of a cluster to choose from; empty without one
/// @param begin where the charts begin, in words
/// @param groups the charts
public record Shown(
    String sentence,
    Tone tone,
    String stream,
    List<Choice> ranges,
    List<Choice> nodes,
    String begin,
    List<Group> groups) {
  /// Something to choose.
  public record Choice(String text, String url, boolean current) {}

  /// Charts under a heading.
  public record Group(String title, List<Place> charts) {
    /// Copies the list.
    public Group {
      charts = List.copyOf(charts);
    }
  }

  /// A chart.
  ///
  /// @param table the address of its values as a table
  public record Place(Chart chart, String table) {}

  /// Copies the lists.
  public Shown {
    ranges = List.copyOf(ranges);
    nodes = List.copyOf(nodes);
    groups = List.copyOf(groups);
  }
}
