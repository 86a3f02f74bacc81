package im.zonda.operation.execution;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import im.zonda.operation.Call;
import im.zonda.operation.Caller;
import im.zonda.operation.Job;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

final class JobsTest {
  private final Jobs jobs = new Jobs(() -> Instant.EPOCH, () -> "j", Runnable::run);
  private final Logger logger = (Logger) LoggerFactory.getLogger(Jobs.class);
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

  @BeforeEach
  void listen() {
    lines.start();
    logger.addAppender(lines);
  }

  @AfterEach
  void stop() {
    logger.detachAppender(lines);
  }

  private Job run(Call.Work work) {
    String id =
        Objects.requireNonNull(jobs.start("link.check", "Check", Caller.owner("root"), work));
    return Objects.requireNonNull(jobs.find(id));
  }

  @Test
  void noMoreThanEightRunAtATime() {
    List<Runnable> waiting = new ArrayList<>();
    AtomicInteger ids = new AtomicInteger();
    Jobs some = new Jobs(() -> Instant.EPOCH, () -> "j" + ids.incrementAndGet(), waiting::add);
    Caller owner = Caller.owner("root");
    for (int i = 0; i < 8; i++) {
      assertThat(some.start("link.check", "Check", owner, _ -> "done")).isNotNull();
    }
    assertThat(some.start("link.check", "Check", owner, _ -> "done")).isNull();
    waiting.removeFirst().run();
    assertThat(some.start("link.check", "Check", owner, _ -> "done")).isNotNull();
  }

  @Test
  void anExpectedFailureIsOneLine() {
    Job job =
        run(_ -> {
          throw new IOException("example.org does not answer");
        });
    assertThat(job.state()).isEqualTo(Job.State.FAILED);
    assertThat(job.text()).isEqualTo("example.org does not answer");
    assertThat(lines.list)
        .singleElement()
        .satisfies(line -> {
          assertThat(line.getLevel()).isEqualTo(Level.WARN);
          assertThat(line.getThrowableProxy()).isNull();
          assertThat(line.getKeyValuePairs())
              .extracting(pair -> pair.key + "=" + pair.value)
              .containsExactly(
                  "operation=link.check", "job=j", "reason=example.org does not answer");
        });
  }

  @Test
  void aDefectHasItsStack() {
    assertThat(
            run(
                    _ -> {
                      throw new IllegalStateException("never");
                    })
                .state())
        .isEqualTo(Job.State.FAILED);
    assertThat(lines.list)
        .singleElement()
        .satisfies(line -> {
          assertThat(line.getLevel()).isEqualTo(Level.ERROR);
          assertThat(line.getThrowableProxy()).isNotNull();
        });
  }
}
