package im.zonda.console.page;

import im.zonda.console.view.Frame;
import java.util.ArrayList;
import java.util.List;

/// The pages that a visitor may read, in their order.
final class Rail {
  /// The operation that says why a message did not arrive.
  static final String WHY = "message.fate";

  /// The operation without which there are no first steps.
  private static final String SETTINGS = "config.list";

  /// The pages of charts.
  static final List<ChartPage.Topic> CHARTS =
      List.of(new LoadTopic(), new QueuesTopic(), new CachesTopic());

  private Rail() {}

  /// The entries.
  ///
  /// @param current the address of the page that is shown
  static List<Frame.Entry> of(Desk desk, String current) {
    List<Frame.Entry> entries = new ArrayList<>();
    entries.add(entry(desk, "overview", Places.FOLDER, current));
    if (desk.may(ChartPage.HISTORY)) {
      CHARTS.forEach(
          each -> entries.add(entry(desk, each.word(), Places.FOLDER + each.word(), current)));
    }
    if (desk.may(WHY)) {
      entries.add(entry(desk, "why", Places.DO + WHY, current));
    }
    if (desk.may(TracePages.MESSAGES)) {
      entries.add(entry(desk, "traces", TracePages.LIST, current));
    }
    for (ListDefinition each : ListDefinition.ALL) {
      if (desk.may(each.operation())) {
        entries.add(entry(desk, each.word(), Places.FOLDER + each.word(), current));
      }
    }
    if (desk.may(LogPage.SHOW)) {
      entries.add(entry(desk, "log", LogPage.PATH, current));
    }
    if (desk.may(SETTINGS)) {
      entries.add(entry(desk, "start", Places.START, current));
    }
    entries.add(entry(desk, "operations", Places.DO, current));
    return entries;
  }

  private static Frame.Entry entry(Desk desk, String word, String url, String current) {
    return new Frame.Entry(desk.text("page." + word), url, url.equals(current));
  }
}
