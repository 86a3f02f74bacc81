package im.zonda.operation.rest;

import im.zonda.http.HttpContent;
import im.zonda.json.JsonText;
import im.zonda.operation.Outcome;
import im.zonda.operation.Shape;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/// Results that come as they are known, as server-sent events. While there are none, a comment is
/// sent now and then: otherwise nobody would notice that the client has gone.
///
/// @param silence the time between two comments
record EventStream<R extends Record>(Shape shape, Outcome.Feed<R> feed, Duration silence)
    implements HttpContent.Writer {
  private static final byte[] COMMENT = ":\n\n".getBytes(StandardCharsets.US_ASCII);

  @Override
  public void writeTo(HttpContent.Output output) throws IOException {
    Lines lines = new Lines(output, Thread.currentThread());
    Thread comments = Thread.ofVirtual().name("event-comments").start(() -> comment(lines));
    try {
      feed.follow(result ->
          lines.write(
              ("data: " + JsonText.of(shape.data(result)) + "\n\n")
                  .getBytes(StandardCharsets.UTF_8)));
    } catch (InterruptedException e) {
      throw new IOException("the client is gone, or the server stops", e);
    } finally {
      lines.end();
      comments.interrupt();
    }
  }

  private void comment(Lines lines) {
    try {
      while (lines.comment()) {
        Thread.sleep(silence); // the time between two comments; the end of the feed interrupts it
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the feed has ended
    }
  }

  /// What two threads write.
  private static final class Lines {
    private final ReentrantLock lock = new ReentrantLock();
    private final HttpContent.Output output;
    private final Thread feeding;
    private boolean ended;

    Lines(HttpContent.Output output, Thread feeding) {
      this.output = output;
      this.feeding = feeding;
    }

    void write(byte[] bytes) throws IOException {
      lock.lock();
      try {
        output.write(bytes, 0, bytes.length);
      } finally {
        lock.unlock();
      }
    }

    /// Writes a comment; false if there is no use in another one.
    boolean comment() {
      lock.lock();
      try {
        if (!ended) {
          output.write(COMMENT, 0, COMMENT.length);
        }
        return !ended;
      } catch (IOException e) {
        feeding.interrupt(); // the client is gone
        return false;
      } finally {
        lock.unlock();
      }
    }

    void end() {
      lock.lock();
      try {
        ended = true;
      } finally {
        lock.unlock();
      }
    }
  }
}
