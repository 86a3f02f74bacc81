package im.zonda.console.chart;

import im.zonda.console.view.Section;
import im.zonda.console.view.Tone;
import java.util.List;

/// The load: what the server has to do, and how long it takes.
record LoadTopic() implements Topic {
  /// A message that takes longer than people like to wait, in seconds.
  private static final double LONG = 1;

  @Override
  public String word() {
    return "load";
  }

  @Override
  public List<Charts.Group> groups() {
    return Charts.LOAD;
  }

  @Override
  public Topic.Saying saying(Inquiry inquiry, Steps steps) {
    double stanzas = last(steps, Charts.STANZAS, 0);
    double inside = last(steps, Charts.INSIDE, 1);
    String load = Unit.RATE.inSentence(inquiry.values(), Double.isNaN(stanzas) ? 0 : stanzas);
    return inside > 0
        ? new Topic.Saying(
            inside > LONG ? Tone.WARNING : Tone.GOOD,
            inquiry.text(
                inside > LONG ? "load.slow" : "load.sentence",
                load,
                Unit.SECONDS.text(inquiry.values(), inside)))
        : new Topic.Saying(Tone.GOOD, inquiry.text("load.quiet", load));
  }

  @Override
  public List<Section> sections(Inquiry inquiry, Steps steps) {
    return inquiry.may(LoadTables.METRICS) ? LoadTables.of(inquiry).sections() : List.of();
  }

  /// The last value of a line of a chart; NaN if there is none.
  static double last(Steps steps, ChartDefinition chart, int line) {
    return Steps.last(steps.of(chart.lines().get(line)));
  }
}
