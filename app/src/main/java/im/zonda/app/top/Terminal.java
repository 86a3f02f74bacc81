package im.zonda.app.top;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/// The terminal of this process, used as a screen: keys come without Return and are not shown. It
/// is as before when this is closed, and also when the process is ended by a signal, such as
/// Ctrl-C.
final class Terminal implements AutoCloseable {
  private static final Path DEVICE = Path.of("/dev/tty");
  private static final long PATIENCE_SECONDS = 2;
  private static final int MOST_OUTPUT = 1_024;

  /// The alternate screen without a cursor, and back.
  private static final String ENTER = "\u001b[?1049h\u001b[?25l";

  private static final String LEAVE = "\u001b[?25h\u001b[?1049l";
  private static final String HOME = "\u001b[H";
  private static final String REST_OF_LINE = "\u001b[K";
  private static final String REST_OF_SCREEN = "\u001b[J";

  private final PrintWriter out;
  private final InputStream keys;
  private final String before;
  private final Thread atExit = new Thread(this::restore, "terminal");

  /// Guarded by this object's monitor.
  private boolean restored;

  private Terminal(PrintWriter out, InputStream keys, String before) {
    this.out = out;
    this.keys = keys;
    this.before = before;
  }

  /// Takes the terminal; null if there is none that can be set.
  ///
  /// @param tenths how long [#key] waits, in tenths of a second
  static @Nullable Terminal open(PrintWriter out, int tenths) {
    String before = stty("-g");
    if (before == null) {
      return null;
    }
    InputStream keys;
    try {
      keys = new FileInputStream(DEVICE.toFile());
    } catch (IOException e) {
      LoggerFactory.getLogger(Terminal.class).atDebug().setCause(e).log("terminal_not_opened");
      return null;
    }
    Terminal terminal = new Terminal(out, keys, before.strip());
    Runtime.getRuntime().addShutdownHook(terminal.atExit);
    if (stty("-icanon", "-echo", "min", "0", "time", Integer.toString(tenths)) == null) {
      terminal.close();
      return null;
    }
    out.print(ENTER);
    out.flush();
    return terminal;
  }

  /// The next key; -1 if none was pressed for a while.
  int key() throws IOException {
    return keys.read();
  }

  /// The size as lines and columns; null if it is not known.
  int @Nullable [] size() {
    String text = stty("size");
    String[] parts = text == null ? new String[0] : text.strip().split(" ", -1);
    if (parts.length != 2
        || !parts[0].matches("[1-9]\\d{0,3}")
        || !parts[1].matches("[1-9]\\d{0,3}")) {
      return null;
    }
    return new int[] {Integer.parseInt(parts[0]), Integer.parseInt(parts[1])};
  }

  /// Replaces what is shown. Does nothing once a signal has ended the process.
  synchronized void show(List<String> lines) {
    if (restored) {
      return;
    }
    StringBuilder text = new StringBuilder(HOME);
    for (int i = 0; i < lines.size(); i++) {
      text.append(i == 0 ? "" : "\n").append(lines.get(i)).append(REST_OF_LINE);
    }
    out.print(text.append(REST_OF_SCREEN));
    out.flush();
  }

  private synchronized void restore() {
    if (!restored) {
      restored = true;
      out.print(LEAVE);
      out.flush();
      String _ = stty(before);
    }
  }

  @Override
  public void close() {
    restore();
    try {
      keys.close();
      boolean _ = Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IOException | IllegalStateException e) {
      // The process ends already.
      LoggerFactory.getLogger(Terminal.class).atTrace().setCause(e).log("terminal_closed");
    }
  }

  /// Runs `stty` on the terminal; null if it fails, otherwise what it says.
  private static @Nullable String stty(String... arguments) {
    String[] command = new String[arguments.length + 1];
    command[0] = "stty";
    System.arraycopy(arguments, 0, command, 1, arguments.length);
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectInput(DEVICE.toFile())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String text =
          new String(process.getInputStream().readNBytes(MOST_OUTPUT), StandardCharsets.UTF_8);
      return process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0
          ? text
          : null;
    } catch (IOException e) {
      LoggerFactory.getLogger(Terminal.class).atDebug().setCause(e).log("terminal_not_set");
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }
}
