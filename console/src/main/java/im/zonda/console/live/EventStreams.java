package im.zonda.console.live;

import im.zonda.http.HttpContent;
import im.zonda.http.HttpException;
import im.zonda.http.HttpResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/// Streams of server-sent events with what is new on pages, at most [#MOST] at a time. Any thread
/// may call.
public final class EventStreams {
  /// The most streams.
  static final int MOST = 64;

  private static final byte[] COMMENT = ":\n\n".getBytes(StandardCharsets.US_ASCII);

  private final Semaphore free = new Semaphore(MOST);
  private final Duration period;

  /// Gives what is new.
  @FunctionalInterface
  public interface Source {
    /// The events since the last call, each of one or more lines; null if there will be no more, as
    /// the reader may no longer see them. May block.
    @Nullable List<String> next();
  }

  /// @param period the time between two looks at what is new
  public EventStreams(Duration period) {
    this.period = period;
  }

  /// A response with all that a source gives.
  ///
  /// @throws HttpException 503 if there are too many streams
  public HttpResponse of(Source source) {
    if (free.availablePermits() == 0) {
      throw new HttpException(503, "Too many pages are open");
    }
    return HttpResponse.stream(200, "text/event-stream", -1, output -> write(source, output));
  }

  private void write(Source source, HttpContent.Output output) throws IOException {
    if (!free.tryAcquire()) {
      return; // another page was faster; the browser asks again
    }
    try {
      for (List<String> events = source.next(); events != null; events = source.next()) {
        for (String event : events) {
          write(output, event(event));
        }
        write(output, COMMENT); // a reader who has gone is noticed
        Thread.sleep(period); // the time between two looks; the end of the server interrupts it
      }
    } catch (InterruptedException e) {
      throw new IOException("the server stops", e);
    } finally {
      free.release();
    }
  }

  private static byte[] event(String text) {
    StringBuilder event = new StringBuilder();
    text.lines().forEach(line -> event.append("data: ").append(line).append('\n'));
    return event.append('\n').toString().getBytes(StandardCharsets.UTF_8);
  }

  private static void write(HttpContent.Output output, byte[] bytes) throws IOException {
    output.write(bytes, 0, bytes.length);
  }
}
