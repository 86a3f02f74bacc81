package im.zonda.console.chart;

import java.util.List;

/// The subjects of the pages of charts.
public final class Topics {
  /// In the order of the rail.
  public static final List<Topic> ALL =
      List.of(new LoadTopic(), new QueuesTopic(), new CachesTopic());

  private Topics() {}
}
