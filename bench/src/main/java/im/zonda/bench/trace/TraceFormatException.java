package im.zonda.bench.trace;

import java.io.IOException;

/// A line of a trace is not in the format.
public final class TraceFormatException extends IOException {
  private static final long serialVersionUID = 1;

  /// @param line from 1
  public TraceFormatException(String file, long line, String reason) {
    super(file + ":" + line + ": " + reason);
  }
}
