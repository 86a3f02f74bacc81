package im.zonda.provider.program;

import static im.zonda.provider.program.ProgramProviderTest.accepted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import im.zonda.account.provider.ProviderException;
import im.zonda.account.provider.Verdict;
import im.zonda.testkit.database.Eventually;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/// Programs that do what they should not.
@Timeout(300)
class HostileProgramTest {
  private static final String DOMAIN = "example.org";

  @TempDir private Path folder;
  private Scripts scripts;
  private final Logger logger =
      (Logger) LoggerFactory.getLogger(ProgramProvider.class.getPackageName());
  private final ListAppender<ILoggingEvent> log = new ListAppender<>();

  @BeforeEach
  void begin() {
    scripts = new Scripts(folder);
    log.start();
    logger.setLevel(Level.INFO);
    logger.addAppender(log);
  }

  @AfterEach
  void end() {
    logger.detachAppender(log);
    logger.setLevel(null);
  }

  private List<ILoggingEvent> events(String name) {
    synchronized (log) {
      return List.copyOf(log.list).stream()
          .filter(event -> event.getMessage().equals(name))
          .toList();
    }
  }

  private static void assertFails(ProgramProvider provider, Answer answer) {
    assertThatThrownBy(() -> provider.find(DOMAIN, "juliet"))
        .isInstanceOf(ProviderException.class)
        .hasMessage(answer.text());
  }

  /// Asks in a thread of its own.
  private static FutureTask<Verdict> ask(ProgramProvider provider, String local) {
    return new FutureTask<>(() -> provider.find(DOMAIN, local));
  }

  /// Answers "slow" with yes when there is the file `go`, others with no.
  private static final String SLOW =
      """
      echo $$ >> $DIR/pids
      while question; do
        case $question in
          isuser:slow:*)
            echo >> $DIR/asked
            while [ ! -e $DIR/go ]; do sleep 0.02; done
            yes ;;
          *) no ;;
        esac
      done
      """;

  @Test
  void theAnswerToAnInterruptedQuestionIsNeverThatToTheNext() throws Exception {
    try (ProgramProvider provider = scripts.start(1, SLOW)) {
      FutureTask<Verdict> slow = ask(provider, "slow");
      Thread asking = Thread.ofVirtual().start(slow);
      Eventually.await("the question is read", () -> Files.exists(scripts.file("asked")));
      asking.interrupt();
      assertThatThrownBy(slow::get).hasCauseInstanceOf(InterruptedException.class);
      Files.createFile(scripts.file("go"));
      for (int i = 0; i < 3; i++) {
        assertThat(provider.find(DOMAIN, "other")).isEqualTo(Verdict.UNKNOWN);
      }
      assertThat(scripts.lines("pids")).as("another process answers").hasSize(2);
    }
  }

  @Test
  void theAnswerToALateQuestionIsNeverThatToTheNext() throws Exception {
    try (ProgramProvider provider = scripts.start(1, SLOW)) {
      FutureTask<Verdict> slow = ask(provider, "slow");
      Thread.ofVirtual().start(slow);
      Eventually.await("the question is read", () -> Files.exists(scripts.file("asked")));
      scripts.nanos().addAndGet(ProgramProvider.LIMIT.toNanos());
      assertThatThrownBy(slow::get)
          .isInstanceOf(ExecutionException.class)
          .hasRootCauseMessage(Answer.LATE.text());
      Files.createFile(scripts.file("go"));
      for (int i = 0; i < 3; i++) {
        assertThat(provider.find(DOMAIN, "other")).isEqualTo(Verdict.UNKNOWN);
      }
      assertThat(events("accounts_program_ended")).hasSize(1);
    }
  }

  @Test
  void aProcessHasOneQuestionAtATime() throws Exception {
    try (ProgramProvider provider = scripts.start(1, SLOW)) {
      FutureTask<Verdict> slow = ask(provider, "slow");
      Thread.ofVirtual().start(slow);
      Eventually.await("the question is read", () -> Files.exists(scripts.file("asked")));
      FutureTask<Verdict> waiting = ask(provider, "other");
      Thread.ofVirtual().start(waiting);
      Files.createFile(scripts.file("go"));
      assertThat(slow.get()).isEqualTo(accepted("slow"));
      assertThat(waiting.get()).isEqualTo(Verdict.UNKNOWN);
      assertThat(scripts.lines("pids")).hasSize(1);
    }
  }

  @Test
  void answersOfAnotherFormAreErrors() throws Exception {
    for (String answer :
        List.of(
            "\\000\\003\\000\\001\\001",
            "\\000\\002\\000\\002",
            "\\000\\002\\001\\001",
            "\\000\\002\\000\\001\\n",
            "\\000\\002\\000\\000\\000\\002\\000\\001",
            "\\377\\377\\000\\001",
            "yes\\n")) {
      String script = "while question; do printf '" + answer + "'; done";
      try (ProgramProvider provider = scripts.start(1, script)) {
        assertFails(provider, Answer.WRONG);
      }
    }
  }

  @Test
  void anAnswerWithoutAQuestionIsNotTakenForOne() throws Exception {
    String script = "echo >> $DIR/starts; yes; while question; do no; done";
    try (ProgramProvider provider = scripts.start(1, script)) {
      Eventually.await("it was found", () -> !events("accounts_program_ended").isEmpty());
      for (int i = 0; i < 20; i++) {
        assertFails(provider, Answer.AWAY);
      }
      assertThat(scripts.lines("starts")).as("after a pause only").hasSize(1);
    }
  }

  @Test
  void aFloodOfAnswersIsCut() throws Exception {
    try (ProgramProvider provider = scripts.start(1, "question; exec cat /dev/zero")) {
      assertFails(provider, Answer.WRONG);
    }
  }

  @Test
  void aFloodOfErrorsStopsNothingAndIsBounded() throws Exception {
    String script =
        """
        while question; do
          head -c 300000 /dev/zero | tr '\\0' e >&2
          echo >&2
          i=0
          while [ $i -lt 2000 ]; do echo "line $i" >&2; i=$((i + 1)); done
          yes
        done
        """;
    try (ProgramProvider provider = scripts.start(1, script)) {
      for (int i = 0; i < 3; i++) {
        assertThat(provider.find(DOMAIN, "juliet")).isEqualTo(accepted("juliet"));
      }
    }
    List<String> lines =
        events("accounts_program_wrote").stream()
            .map(event -> String.valueOf(event.getKeyValuePairs().getLast().value))
            .toList();
    assertThat(lines).hasSize(ErrorOutput.MOST_LINES).contains("line 0");
    assertThat(lines).allMatch(line -> line.length() <= ErrorOutput.MOST_BYTES);
  }

  @Test
  void aProgramThatEndsAtOnceIsStartedAfterAPauseThatGrows() throws Exception {
    try (ProgramProvider provider = scripts.start(1, "echo >> $DIR/starts; exit 1")) {
      for (int starts = 1; starts <= 4; starts++) {
        int expected = starts;
        Eventually.await("failed", () -> events("accounts_program_not_started").size() == expected);
        long pause = Instance.EARLY_NANOS << (starts - 1);
        scripts.nanos().addAndGet(pause - 1);
        for (int i = 0; i < 20; i++) {
          assertFails(provider, Answer.AWAY);
        }
        assertThat(scripts.lines("starts")).hasSize(starts);
        scripts.nanos().addAndGet(1);
      }
    }
  }

  @Test
  void aQuestionThatEndsTheProgramEndsTwoProcessesAtMost() throws Exception {
    String script =
        """
        echo >> $DIR/starts
        while question; do
          case $question in isuser:poison:*) exit 1 ;; esac
          yes
        done
        """;
    try (ProgramProvider provider = scripts.start(5, script)) {
      Eventually.await("all run", () -> scripts.lines("starts").size() == 5);
      assertThatThrownBy(() -> provider.find(DOMAIN, "poison")).hasMessage(Answer.ENDED.text());
      for (int i = 0; i < 10; i++) {
        assertThat(provider.find(DOMAIN, "juliet")).isEqualTo(accepted("juliet"));
      }
      assertThat(scripts.lines("starts")).hasSize(5);
    }
  }

  @Test
  void nothingIsLeftOfAProgramThatDoesNotWantToEnd() throws Exception {
    String script =
        """
        trap '' TERM HUP INT
        sleep 1000 &
        echo $! >> $DIR/pids
        echo $$ >> $DIR/pids
        while :; do sleep 1000; done
        """;
    ProgramProvider provider = scripts.start(2, script);
    Eventually.await("all run", () -> scripts.lines("pids").size() == 4);
    Set<ProcessHandle> processes =
        scripts.lines("pids").stream()
            .map(pid -> ProcessHandle.of(Long.parseLong(pid)).orElseThrow())
            .collect(Collectors.toSet());
    provider.close();
    for (ProcessHandle each : processes) {
      Eventually.await("it has ended", () -> !each.isAlive());
    }
    assertFails(provider, Answer.AWAY);
    assertThat(scripts.lines("pids")).as("no other is started").hasSize(4);
  }

  @Test
  void aQuestionFailsWhenTheProviderIsClosed() throws Exception {
    ProgramProvider provider = scripts.start(1, SLOW);
    FutureTask<Verdict> slow = ask(provider, "slow");
    Thread.ofVirtual().start(slow);
    Eventually.await("the question is read", () -> Files.exists(scripts.file("asked")));
    provider.close();
    assertThatThrownBy(slow::get).hasCauseInstanceOf(ProviderException.class);
  }

  @Test
  void aGrandchildThatKeepsThePipeHoldsNobody() throws Exception {
    // It has left the family, and lives on with both ends that the program had.
    String script =
        """
        setsid sh -c 'echo $$ > $DIR/pid; exec sleep 1000' &
        while [ ! -s $DIR/pid ]; do sleep 0.02; done
        question
        exit 1
        """;
    try (ProgramProvider provider = scripts.start(1, script)) {
      assertFails(provider, Answer.ENDED);
    } finally {
      long pid = Long.parseLong(scripts.lines("pid").getFirst());
      ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    }
  }

  @Test
  void aProgramThatDoesNotReadHoldsNobody() throws Exception {
    // It reads no more than the first two bytes; questions fill the pipe.
    String script = "dd bs=1 count=2 2>/dev/null | od >/dev/null; yes; sleep 1000";
    try (ProgramProvider provider = scripts.start(1, script)) {
      String password = "x".repeat(60_000);
      assertThat(provider.setPassword(DOMAIN, "juliet", password)).isTrue();
      FutureTask<Boolean> second =
          new FutureTask<>(() -> provider.setPassword(DOMAIN, "juliet", password));
      Thread.ofVirtual().start(second);
      Eventually.await(
          "it fails",
          () -> {
            scripts.nanos().addAndGet(Duration.ofSeconds(1).toNanos());
            return second.isDone();
          });
      assertThatThrownBy(second::get).hasCauseInstanceOf(ProviderException.class);
    }
  }
}
