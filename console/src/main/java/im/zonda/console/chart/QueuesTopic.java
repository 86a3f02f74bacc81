package im.zonda.console.chart;

import im.zonda.console.view.Tone;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The queues: what waits, who is paused, and who is slow.
record QueuesTopic() implements Topic {
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
  public Topic.Saying saying(Inquiry inquiry, Steps steps) {
    Map<String, @Nullable Object> queues =
        inquiry.may(QUEUES) ? inquiry.data(QUEUES, Map.of()) : null;
    if (queues == null) {
      return new Topic.Saying(Tone.PLAIN, inquiry.text("page.queues"));
    }
    int crowded = PlainData.list(queues, CROWDED).size();
    if (crowded > 0) {
      return new Topic.Saying(
          Tone.WARNING, inquiry.text("queues.crowded", inquiry.values().number(crowded)));
    }
    long tasks = PlainData.number(queues, "tasks");
    long bytes =
        PlainData.number(queues, "logBytes")
            + PlainData.number(queues, "networkBytes")
            + PlainData.number(queues, "remoteBytes");
    return new Topic.Saying(
        Tone.GOOD,
        tasks == 0 && bytes == 0
            ? inquiry.text("queues.empty")
            : inquiry.text(
                "queues.some",
                inquiry.values().number(tasks),
                Unit.BYTES.text(inquiry.values(), (double) bytes)));
  }

  @Override
  public List<Listed> lists() {
    return List.of(
        new Listed(QUEUES, CROWDED, "queues.paused"),
        new Listed("server.slow-receivers", "receivers", "queues.receivers"),
        new Listed("server.slow-handlers", "handlers", "queues.handlers"));
  }
}
