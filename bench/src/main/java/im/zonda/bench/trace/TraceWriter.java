package im.zonda.bench.trace;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/// Writes a trace, one event after the other, in the form that [TraceReader] reads. The same events
/// are the same bytes on each machine.
public final class TraceWriter implements AutoCloseable {
  private final OutputStream out;
  private final StringBuilder line = new StringBuilder();

  /// Writes the header.
  ///
  /// @param out is closed with the writer
  public TraceWriter(OutputStream out, TraceHeader header) throws IOException {
    this.out = out;
    out.write(header.text().getBytes(StandardCharsets.UTF_8));
    out.write("t_ms\tevent\tplayer\troom\tbytes\n".getBytes(StandardCharsets.UTF_8));
  }

  /// Opens a file; one whose name ends in `.gz` is packed.
  public static TraceWriter open(Path file, TraceHeader header) throws IOException {
    return new TraceWriter(TraceFile.writer(file), header);
  }

  /// Writes an event.
  public void write(TraceEvent event) throws IOException {
    line.setLength(0);
    line.append(event.millis())
        .append('\t')
        .append(event.kind().word())
        .append('\t')
        .append(event.player())
        .append('\t')
        .append(event.place().isEmpty() ? "-" : event.place())
        .append('\t');
    if (event.kind().isMessage()) {
      line.append(event.bytes());
    } else {
      line.append('-');
    }
    out.write(line.append('\n').toString().getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
