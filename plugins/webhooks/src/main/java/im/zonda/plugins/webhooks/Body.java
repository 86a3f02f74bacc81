package im.zonda.plugins.webhooks;

import static java.nio.charset.StandardCharsets.UTF_8;

import im.zonda.plugins.webhooks.queue.Batch;
import im.zonda.plugins.webhooks.queue.QueuedEvent;
import java.io.ByteArrayOutputStream;
import java.util.List;

/// The body of a request, in the format of the README.
final class Body {
  /// The version of the format. It grows when something is removed or changes its meaning.
  static final int VERSION = 1;

  private Body() {}

  /// @param queue the identifier of the queue
  static byte[] of(String target, String queue, Batch batch) {
    JsonObject head =
        new JsonObject()
            .with("version", VERSION)
            .with("target", target)
            .with("queue", queue)
            .with("sequence", batch.sequence());
    return of(head, batch.events());
  }

  /// The body of a test, which has no place in the queue.
  static byte[] test(String target, QueuedEvent event) {
    return of(new JsonObject().with("version", VERSION).with("target", target), List.of(event));
  }

  private static byte[] of(JsonObject head, List<QueuedEvent> events) {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    String start = head.toString();
    body.writeBytes((start.substring(0, start.length() - 1) + ",\"events\":[").getBytes(UTF_8));
    String separator = "\n";
    for (QueuedEvent each : events) {
      body.writeBytes(separator.getBytes(UTF_8));
      body.writeBytes(each.json());
      separator = ",\n";
    }
    body.writeBytes("\n]}\n".getBytes(UTF_8));
    return body.toByteArray();
  }
}
