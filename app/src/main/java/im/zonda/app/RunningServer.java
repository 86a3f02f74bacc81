package im.zonda.app;

import im.zonda.net.Listener;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The parts of a running or starting server. Closes them in reverse order.
public final class RunningServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RunningServer.class);

  private record Part(String name, AutoCloseable close) {}

  private final Deque<Part> parts = new ArrayDeque<>();
  private final List<Listener> listeners = new ArrayList<>();
  private Supplier<@Nullable String> consoleLinks = () -> null;

  /// Adds a part that was opened.
  synchronized void opened(String name, AutoCloseable close) {
    parts.push(new Part(name, close));
  }

  /// Adds addresses that the server listens on.
  synchronized void listening(List<Listener> bound) {
    listeners.addAll(bound);
  }

  /// Says who makes one-time links to the admin console; they are null if there is none.
  synchronized void consoleLinksFrom(Supplier<@Nullable String> source) {
    consoleLinks = source;
  }

  /// The address of a new one-time link to the admin console; null if there is none.
  synchronized @Nullable String newConsoleLink() {
    return consoleLinks.get();
  }

  /// The addresses that the server listens on.
  public synchronized List<Listener> listeners() {
    return new ArrayList<>(listeners);
  }

  /// Closes all parts, the last opened first; a failure is logged and the others are closed.
  @Override
  public synchronized void close() {
    while (!parts.isEmpty()) {
      Part part = parts.pop();
      try {
        part.close().close();
      } catch (Exception e) {
        if (e instanceof InterruptedException) {
          Thread.currentThread().interrupt();
        }
        LOG.atError().addKeyValue("part", part.name()).setCause(e).log("stop_failed");
      }
    }
  }
}
