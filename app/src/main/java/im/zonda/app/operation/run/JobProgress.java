package im.zonda.app.operation.run;

import im.zonda.app.operation.JobOperations;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Waits for the end of a job, and says on a terminal how far it is.
public final class JobProgress {
  private static final long LOOK_MILLIS = 200;

  private final OperationRunner runner;
  private final @Nullable PrintWriter terminal;

  /// @param terminal where the progress is shown; null for nowhere
  public JobProgress(OperationRunner runner, @Nullable PrintWriter terminal) {
    this.runner = runner;
    this.terminal = terminal;
  }

  /// Waits for the end.
  ///
  /// @return the job at its end, as plain data
  /// @throws IOException if the server does not know it any longer
  public Map<String, @Nullable Object> follow(String id) throws IOException {
    String before = "";
    while (true) {
      Map<String, @Nullable Object> job = runner.result(JobOperations.SHOW, Map.of("job", id));
      String now = text(job);
      if (terminal != null && !now.equals(before)) {
        terminal.print("\r" + now + " ".repeat(Math.max(0, before.length() - now.length())));
        terminal.flush();
        before = now;
      }
      if (!"running".equals(job.get("state"))) {
        if (terminal != null) {
          terminal.print("\r" + " ".repeat(before.length()) + "\r");
          terminal.flush();
        }
        return job;
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS));
    }
  }

  private static String text(Map<String, @Nullable Object> job) {
    long done = job.get("done") instanceof Number number ? number.longValue() : 0;
    long total = job.get("total") instanceof Number number ? number.longValue() : 0;
    String of = Objects.toString(job.get("of"), "");
    String counted = total > 0 ? done + " of " + total : Long.toString(done);
    return job.get("title") + (of.isEmpty() ? "" : ": " + counted + " " + of);
  }
}
