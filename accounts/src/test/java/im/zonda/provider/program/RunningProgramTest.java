package im.zonda.provider.program;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.accounts.ProgramAccounts;
import im.zonda.testkit.database.Eventually;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class RunningProgramTest {
  private static RunningProgram start(String script) throws Exception {
    ProgramAccounts settings =
        new ProgramAccounts(List.of("/bin/sh", "-c", script), 1, List.of("WORD=hidden"));
    Program program = Program.of("old", settings, System::nanoTime);
    assertThat(program.toString()).doesNotContain("hidden");
    return program.start();
  }

  private static Answer ask(RunningProgram program) throws Exception {
    byte[] question = Objects.requireNonNull(Questions.account("juliet", "example.org"));
    return program.ask(question, System.nanoTime() + ProgramProvider.LIMIT.toNanos());
  }

  @Test
  void anAnswerThatWasThereBeforeTheQuestionIsNotTaken() throws Exception {
    RunningProgram program = start("printf '\\0\\2\\0\\1'; sleep 1000");
    try {
      Eventually.await("it has written", program::hasUnasked);
      assertThat(ask(program)).isEqualTo(Answer.UNASKED);
    } finally {
      program.kill();
    }
  }

  @Test
  void anAnswerOfAProgramThatThenEndsIsTaken() throws Exception {
    RunningProgram program = start("head -c 2 >/dev/null; printf '\\0\\2\\0\\1'");
    assertThat(ask(program)).isEqualTo(Answer.YES);
    Eventually.await("it has ended", () -> !program.isAlive());
    assertThat(ask(program)).isEqualTo(Answer.ENDED);
  }

  @Test
  void aHalfAnswerIsNone() throws Exception {
    assertThat(ask(start("head -c 2 >/dev/null; printf '\\0\\2\\0'"))).isEqualTo(Answer.ENDED);
  }
}
