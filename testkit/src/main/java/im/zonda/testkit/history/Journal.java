package im.zonda.testkit.history;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Log of events for the analysis of failures, one line per event: milliseconds since the start,
/// event, details. Thread-safe.
public final class Journal implements AutoCloseable {
  private final BufferedWriter out;
  private final long start = System.nanoTime();

  /// Creates a journal in that file; overwrites it.
  ///
  /// @throws IOException if it cannot be written
  public Journal(Path file) throws IOException {
    out = Files.newBufferedWriter(file);
  }

  /// Writes an event.
  ///
  /// @param event one word
  /// @param about the details
  public synchronized void note(String event, String about) {
    try {
      out.append(Long.toString((System.nanoTime() - start) / 1_000_000));
      out.append(' ').append(event).append(' ').append(about).append('\n');
    } catch (IOException e) {
      throw new UncheckedIOException("the journal cannot be written", e);
    }
  }

  /// Flushes the file.
  @Override
  public synchronized void close() throws IOException {
    out.close();
  }
}
