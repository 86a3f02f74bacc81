package im.zonda.operation.rest;

import im.zonda.http.HttpContent;
import im.zonda.json.JsonText;
import im.zonda.operation.Outcome;
import im.zonda.operation.Shape;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Results that come as they are known, as server-sent events. While there are none, a comment is
/// sent now and then: otherwise nobody would notice that the client has gone. Ends in order, within
/// [#LOOK] and the time of the look, when the caller may no longer have the results.
///
/// @param allowed whether the caller still may; may block
record EventStream<R extends Record>(Shape shape, Outcome.Feed<R> feed, BooleanSupplier allowed)
    implements HttpContent.Writer {
  private static final Logger LOG = LoggerFactory.getLogger(EventStream.class);
  private static final byte[] COMMENT = ":\n\n".getBytes(StandardCharsets.US_ASCII);

  /// The time between two looks at what the caller may.
  private static final Duration LOOK = Duration.ofSeconds(2);

  /// The looks for each comment.
  private static final int LOOKS = 5;

  /// The caller may no longer have the results.
  private static final class RevokedException extends IOException {
    private static final long serialVersionUID = 1L;
  }

  @Override
  public void writeTo(HttpContent.Output output) throws IOException {
    Lines lines = new Lines(output, Thread.currentThread());
    Thread watch = Thread.ofVirtual().name("event-stream").start(() -> watch(lines));
    try {
      feed.follow(result ->
          lines.write(
              ("data: " + JsonText.of(shape.data(result)) + "\n\n")
                  .getBytes(StandardCharsets.UTF_8)));
    } catch (RevokedException e) {
      LOG.atDebug().setCause(e).log("event_stream_revoked");
    } catch (InterruptedException e) {
      if (!lines.isRevoked()) {
        throw new IOException("the client is gone, or the server stops", e);
      }
    } finally {
      lines.end();
      watch.interrupt();
    }
  }

  private void watch(Lines lines) {
    try {
      for (int looks = 0; looks % LOOKS != 0 || lines.comment(); looks++) {
        Thread.sleep(LOOK); // the time between two looks; the end of the feed interrupts it
        if (!isAllowed()) {
          lines.revoke();
          return;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the feed has ended
    }
  }

  private boolean isAllowed() {
    try {
      return allowed.getAsBoolean();
    } catch (RuntimeException e) {
      LOG.atError().setCause(e).log("event_stream_not_checked");
      return false;
    }
  }

  /// What two threads write.
  private static final class Lines {
    private final ReentrantLock lock = new ReentrantLock();
    private final HttpContent.Output output;
    private final Thread feeding;
    private volatile boolean revoked;
    private boolean ended;

    Lines(HttpContent.Output output, Thread feeding) {
      this.output = output;
      this.feeding = feeding;
    }

    void write(byte[] bytes) throws IOException {
      lock.lock();
      try {
        if (revoked) {
          throw new RevokedException();
        }
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

    /// Writes no more, and ends the feed.
    void revoke() {
      revoked = true; // first: the feed may be writing
      lock.lock();
      try {
        if (!ended) {
          feeding.interrupt();
        }
      } finally {
        lock.unlock();
      }
    }

    boolean isRevoked() {
      return revoked;
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
