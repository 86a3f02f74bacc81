package im.zonda.provider.program;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// A process of the program. One thread at a time asks it; any may kill it.
///
/// A thread that reads from a process can be neither interrupted nor given a time limit, and waits
/// for as long as any grandchild has the other end. So nothing is read that is not there: the
/// thread that asks waits for the end of the process, a short time again and again, and looks.
final class RunningProgram {
  private static final byte[] EXPECTED = {0, 2, 0};
  private static final int ANSWER_BYTES = 4;

  /// How long it waits for an answer before it looks less often.
  private static final long QUICK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final Program program;
  private final Process process;
  private final OutputStream questions;
  private final InputStream answers;
  private final ErrorOutput errors;
  private final long started;

  RunningProgram(Program program, Process process) {
    this.program = program;
    this.process = process;
    this.questions = process.getOutputStream();
    this.answers = process.getInputStream();
    this.errors = new ErrorOutput(program, process);
    this.started = program.nanos().getAsLong();
  }

  /// When it was started, by the clock of the program.
  long started() {
    return started;
  }

  long pid() {
    return process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /// The exit status of the process.
  ///
  /// @throws IllegalThreadStateException if the process runs
  int exitCode() {
    return process.exitValue();
  }

  /// Asks. Unless the answer is yes or no, the next answer could be to this question: the process
  /// must be killed, and so it must after an interruption.
  ///
  /// @param deadline by the clock of the program
  Answer ask(byte[] question, long deadline) throws InterruptedException {
    try {
      if (answers.available() > 0) {
        return Answer.UNASKED;
      }
      questions.write(question);
      questions.flush();
      return answer(deadline);
    } catch (IOException e) {
      return Answer.ENDED; // nobody reads the question
    }
  }

  private Answer answer(long deadline) throws IOException, InterruptedException {
    long asked = program.nanos().getAsLong();
    byte[] answer = new byte[ANSWER_BYTES];
    int size = 0;
    boolean ended = false;
    while (true) {
      logErrors();
      while (size < ANSWER_BYTES && answers.available() > 0) {
        answer[size] = (byte) answers.read();
        if (size < EXPECTED.length && answer[size] != EXPECTED[size]) {
          return Answer.WRONG;
        }
        size++;
      }
      if (size == ANSWER_BYTES) {
        return answers.available() > 0 ? Answer.WRONG : decode(answer[EXPECTED.length]);
      }
      if (ended) {
        return Answer.ENDED;
      }
      long now = program.nanos().getAsLong();
      if (now - deadline >= 0) {
        return Answer.LATE;
      }
      ended = process.waitFor(now - asked < QUICK_NANOS ? 1 : 10, TimeUnit.MILLISECONDS);
    }
  }

  private static Answer decode(byte last) {
    return switch (last) {
      case 0 -> Answer.NO;
      case 1 -> Answer.YES;
      default -> Answer.WRONG;
    };
  }

  /// Whether it has written something to its output that nobody has asked for.
  boolean hasUnasked() {
    try {
      return answers.available() > 0;
    } catch (IOException e) {
      return false; // it has ended
    }
  }

  /// Copies the error output of the process to the log. For the thread that asks.
  void logErrors() {
    errors.log();
  }

  /// The same when it has ended.
  void logLastErrors() {
    errors.end();
  }

  /// Ends it at once, and the processes that it has started.
  void kill() {
    processes().forEach(ProcessHandle::destroyForcibly);
  }

  /// Closes its input and asks it to end.
  ///
  /// @return it, and the processes that it has started
  List<ProcessHandle> stop() {
    List<ProcessHandle> all = processes();
    try {
      questions.close();
    } catch (IOException e) {
      // It has ended, or does not read.
    }
    all.forEach(ProcessHandle::destroy);
    return all;
  }

  private List<ProcessHandle> processes() {
    return Stream.concat(Stream.of(process.toHandle()), process.descendants()).toList();
  }
}
