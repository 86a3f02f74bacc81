package im.zonda.provider.program;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The error output of a process, line by line in the log. For one thread at a time.
final class ErrorOutput {
  private static final Logger LOG = LoggerFactory.getLogger(ErrorOutput.class);

  /// The most bytes of a line; the rest is left out.
  static final int MOST_BYTES = 1_024;

  /// The most lines in [#INTERVAL_NANOS]; others are counted.
  static final int MOST_LINES = 100;

  private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(10);

  /// The most bytes that are read at a time: a program that writes more waits.
  private static final int MOST_AT_A_TIME = 65_536;

  private final Program program;
  private final long pid;
  private final InputStream stream;
  private final byte[] line = new byte[MOST_BYTES];
  private int size;
  private int lines;
  private long omitted;
  private long intervalStart;

  ErrorOutput(Program program, Process process) {
    this.program = program;
    this.pid = process.pid();
    this.stream = process.getErrorStream();
    this.intervalStart = program.nanos().getAsLong();
  }

  /// Logs the lines that are there. Does not wait for more.
  void log() {
    long now = program.nanos().getAsLong();
    if (now - intervalStart >= INTERVAL_NANOS) {
      nextInterval(now);
    }
    try {
      int there = Math.min(stream.available(), MOST_AT_A_TIME);
      if (there > 0) {
        for (byte each : stream.readNBytes(there)) {
          add(each);
        }
      }
    } catch (IOException e) {
      // The process has ended.
    }
  }

  private void add(byte each) {
    if (each == '\n') {
      endLine();
    } else if (size < MOST_BYTES) {
      line[size++] = each;
    }
  }

  private void endLine() {
    if (size > 0 && lines < MOST_LINES) {
      lines++;
      LOG.atInfo()
          .addKeyValue("provider", program.provider())
          .addKeyValue("pid", pid)
          .addKeyValue("line", new String(Arrays.copyOf(line, size), StandardCharsets.UTF_8))
          .log("accounts_program_wrote");
    } else if (size > 0) {
      omitted++;
    }
    size = 0;
  }

  private void nextInterval(long now) {
    if (omitted > 0) {
      LOG.atWarn()
          .addKeyValue("provider", program.provider())
          .addKeyValue("pid", pid)
          .addKeyValue("lines", omitted)
          .log("accounts_program_lines_omitted");
    }
    intervalStart = now;
    lines = 0;
    omitted = 0;
  }

  /// Logs what is left when the process has ended.
  void end() {
    log();
    endLine();
    nextInterval(intervalStart);
  }
}
