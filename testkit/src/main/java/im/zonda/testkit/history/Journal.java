package im.zonda.testkit.history;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// What happened, a line each, so that a failure can be read afterwards: milliseconds since the
/// start, the event, and what it is about. Any thread may write.
public final class Journal implements AutoCloseable {
  private final BufferedWriter out;
  private final long start = System.nanoTime();

  /// Creates a journal in that file; overwrites it.
  ///
  /// @throws IOException if it cannot be written
  public Journal(Path file) throws IOException {
    out = Files.newBufferedWriter(file);
  }

  /// Notes an event.
  ///
  /// @param event one word
  /// @param about one word or more
  public synchronized void note(String event, String about) {
    try {
      out.append(Long.toString((System.nanoTime() - start) / 1_000_000));
      out.append(' ').append(event).append(' ').append(about).append('\n');
    } catch (IOException e) {
      throw new UncheckedIOException("the journal cannot be written", e);
    }
  }

  /// Writes out what is held.
  @Override
  public synchronized void close() throws IOException {
    out.close();
  }
}
