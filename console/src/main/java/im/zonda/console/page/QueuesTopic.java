package im.zonda.console.page;

import im.zonda.console.chart.Charts;
import im.zonda.console.chart.Steps;
import im.zonda.console.chart.Unit;
import im.zonda.console.view.Section;
import im.zonda.console.view.Tone;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What waits, who is paused, and who is slow.
record QueuesTopic() implements ChartPage.Topic {
  private static final String QUEUES = "server.queues";
  private static final String CROWDED = "crowded";

  @Override
  public String word() {
    return "queues";
  }

  @Override
  public List<Charts.Group> groups() {
    return Charts.QUEUES;
  }

  @Override
  public ChartPage.Saying saying(Desk desk, Steps steps) {
    Map<String, @Nullable Object> queues = desk.may(QUEUES) ? desk.data(QUEUES, Map.of()) : null;
    if (queues == null) {
      return new ChartPage.Saying(Tone.PLAIN, desk.text("page.queues"));
    }
    int crowded = Health.list(queues, CROWDED).size();
    if (crowded > 0) {
      return new ChartPage.Saying(
          Tone.WARNING, desk.text("queues.crowded", desk.values().number(crowded)));
    }
    long tasks = Health.number(queues, "tasks");
    long bytes =
        Health.number(queues, "logBytes")
            + Health.number(queues, "networkBytes")
            + Health.number(queues, "remoteBytes");
    return new ChartPage.Saying(
        Tone.GOOD,
        tasks == 0 && bytes == 0
            ? desk.text("queues.empty")
            : desk.text(
                "queues.some", desk.values().number(tasks), Unit.BYTES.text(desk.values(), bytes)));
  }

  @Override
  public List<Section> sections(Desk desk, Steps steps) {
    List<Section> sections = new ArrayList<>();
    add(sections, desk, QUEUES, CROWDED, "queues.paused");
    add(sections, desk, "server.slow-receivers", "receivers", "queues.receivers");
    add(sections, desk, "server.slow-handlers", "handlers", "queues.handlers");
    return sections;
  }

  private static void add(
      List<Section> sections, Desk desk, String name, String list, String text) {
    Operation<?, ?> operation = desk.find(name);
    if (operation == null || !desk.may(operation)) {
      return;
    }
    Shape.Component component = operation.result().component(list);
    if (component != null && desk.run(name, Map.of()) instanceof Outcome.Done<?>(Record result)) {
      ResultView view = new ResultView(desk.values(), desk.text(text + ".none"));
      Object value = operation.result().get(result, list);
      sections.add(
          Section.of(
              desk.text(text), view.table(component, value, ResultView.Choice.ALL), view.empty()));
    }
  }
}
