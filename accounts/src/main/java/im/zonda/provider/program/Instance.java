package im.zonda.provider.program;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A place for one process of the program, which is started again when it has ended: at once if it
/// has run for a second, otherwise after a pause that grows. One thread at a time uses it, but for
/// [#killIfLate] and [#stop].
final class Instance {
  private static final Logger LOG = LoggerFactory.getLogger(Instance.class);

  /// A process that ends earlier has failed to start.
  static final long EARLY_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final int MOST_DOUBLINGS = 6;

  /// No question is asked.
  private static final long NONE = Long.MIN_VALUE;

  private final Program program;
  private volatile @Nullable RunningProgram running;
  private volatile long deadline = NONE;
  private volatile boolean stopped;
  private int failures;
  private long notBefore;

  Instance(Program program) {
    this.program = program;
    this.notBefore = program.nanos().getAsLong();
  }

  /// Asks. Whatever the answer is, the next question gets an answer of its own: unless it was yes
  /// or no, and if the thread is interrupted, the process is killed.
  ///
  /// @param limit when the answer must be there, by the clock of the program
  Answer ask(byte[] question, long limit) throws InterruptedException {
    RunningProgram process = ready();
    if (process == null) {
      return Answer.AWAY;
    }
    boolean isAsked = false;
    deadline = limit;
    try {
      Answer answer = process.ask(question, limit);
      isAsked = true;
      if (answer != Answer.YES && answer != Answer.NO) {
        discard(process, answer);
      }
      return answer;
    } finally {
      deadline = NONE;
      if (!isAsked) {
        process.kill();
        running = null;
      }
    }
  }

  /// Keeps the process running and its error output empty, between questions.
  void lookAfter() {
    RunningProgram process = ready();
    if (process != null) {
      process.logErrors();
      if (process.hasUnasked()) {
        discard(process, Answer.UNASKED);
      }
    }
  }

  /// Kills the process if its question should have been answered long ago. The thread that asks
  /// does so itself, unless it waits for the program to read.
  void killIfLate() {
    RunningProgram process = running;
    long limit = deadline;
    if (process != null && limit != NONE && program.nanos().getAsLong() - limit >= EARLY_NANOS) {
      process.kill();
    }
  }

  /// Asks the process to end; no other is started.
  ///
  /// @return the processes that have not ended yet
  List<ProcessHandle> stop() {
    stopped = true;
    RunningProgram process = running;
    if (process == null) {
      return List.of();
    }
    if (deadline != NONE) {
      process.kill(); // its input cannot be closed while something is written to it
      return List.of();
    }
    return process.stop();
  }

  /// The process, which is started if there is none; null if there can be none now.
  private @Nullable RunningProgram ready() {
    RunningProgram process = running;
    if (stopped) {
      return null;
    }
    if (process != null && !process.isAlive()) {
      discard(process, Answer.ENDED);
      process = null;
    }
    if (process != null || program.nanos().getAsLong() - notBefore < 0) {
      return process;
    }
    return start();
  }

  private @Nullable RunningProgram start() {
    try {
      RunningProgram process = program.start();
      running = process;
      if (stopped) {
        process.kill(); // stop() may not have seen it
        return null;
      }
      return process;
    } catch (IOException e) {
      pause();
      logNotStarted(String.valueOf(e.getMessage()).strip());
      return null;
    }
  }

  private void discard(RunningProgram process, Answer reason) {
    boolean isEarly = program.nanos().getAsLong() - process.started() < EARLY_NANOS;
    boolean hasEnded = !process.isAlive();
    process.kill();
    process.logLastErrors();
    running = null;
    if (stopped) {
      return;
    }
    if (isEarly) {
      pause();
    } else {
      failures = 0;
    }
    if (isEarly && hasEnded) {
      logNotStarted("exit code " + process.exitCode());
    } else {
      LOG.atWarn()
          .addKeyValue("provider", program.provider())
          .addKeyValue("pid", process.pid())
          .addKeyValue("reason", hasEnded ? "exit code " + process.exitCode() : reason.text())
          .log("accounts_program_ended");
    }
  }

  private void pause() {
    notBefore = program.nanos().getAsLong() + (EARLY_NANOS << failures);
    failures = Math.min(failures + 1, MOST_DOUBLINGS);
  }

  private void logNotStarted(String reason) {
    LOG.atWarn()
        .addKeyValue("provider", program.provider())
        .addKeyValue("reason", reason)
        .addKeyValue(
            "next_attempt_seconds",
            TimeUnit.NANOSECONDS.toSeconds(notBefore - program.nanos().getAsLong()))
        .log("accounts_program_not_started");
  }
}
