package im.zonda.provider.program;

import im.zonda.account.provider.PasswordQuestion;
import im.zonda.account.provider.TestStep;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A login step by step, with a process of its own.
final class TestLogin {
  private static final long STOP_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Program program;
  private final List<TestStep> steps = new ArrayList<>();

  TestLogin(Program program) {
    this.program = program;
  }

  List<TestStep> run(PasswordQuestion question) throws InterruptedException {
    long begin = program.nanos().getAsLong();
    RunningProgram process;
    try {
      process = program.start();
    } catch (IOException e) {
      add("start", false, begin, String.valueOf(e.getMessage()).strip());
      return steps;
    }
    add("start", true, begin, "process " + process.pid());
    try {
      String local = question.local();
      String domain = question.domain();
      byte[] account = Questions.account(local, domain);
      if (ask("isuser", process, account)) {
        ask("auth", process, Questions.password(local, domain, question.password()));
      }
    } finally {
      Endings.await(process.stop(), STOP_NANOS);
      process.logLastErrors();
    }
    return steps;
  }

  /// Returns whether the process can be asked again.
  private boolean ask(String step, RunningProgram process, byte @Nullable [] question)
      throws InterruptedException {
    long begin = program.nanos().getAsLong();
    if (question == null) {
      add(step, false, begin, "this name cannot be asked for");
      return false;
    }
    Answer answer = process.ask(question, begin + ProgramProvider.LIMIT.toNanos());
    boolean isAnswer = answer == Answer.YES || answer == Answer.NO;
    String hint = isAnswer ? "" : "; what it writes to its error output is in the log";
    add(step, answer == Answer.YES, begin, answer.text() + hint);
    return isAnswer;
  }

  private void add(String name, boolean ok, long begin, String text) {
    Duration took = Duration.ofNanos(program.nanos().getAsLong() - begin);
    steps.add(new TestStep(name, ok, took, text));
  }
}
