package im.zonda.stream.sasl;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.runtime.TestRuntime;
import im.zonda.stream.client.TestTimers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/// Logins that wait while others need the machine more.
class LoginPauseTest {
  private final List<String> done = new ArrayList<>();
  private final TestTimers timers = new TestTimers();
  private final LoginPause logins = new LoginPause(new TestRuntime().scheduler(timers).build());

  private void login(String name) {
    logins.execute(() -> done.add(name));
  }

  @Test
  void aLoginRunsAtOnceIfThereIsNoPause() {
    login("a");
    assertThat(done).containsExactly("a");
  }

  @Test
  void loginsWaitForTheEndOfAPauseInTheirOrder() {
    logins.pause(true);
    login("a");
    login("b");
    assertThat(done).isEmpty();
    logins.pause(false);
    login("c");
    assertThat(done).containsExactly("a", "b", "c");
    assertThat(timers.pending()).isZero();
  }

  @Test
  void nobodyFailsIfTheServerStopsDuringAPause() {
    ExecutorService blocking = Executors.newVirtualThreadPerTaskExecutor();
    LoginPause stopping =
        new LoginPause(new TestRuntime().scheduler(timers).workers(blocking).build());
    stopping.pause(true);
    stopping.execute(() -> done.add("a"));
    blocking.close();
    stopping.pause(false);
    assertThat(done).isEmpty();
  }

  @Test
  void aPauseIsNotTooLongAndAnotherOneCanFollow() {
    logins.pause(true);
    login("a");
    timers.pass(LoginPause.LONGEST.minus(Duration.ofMillis(1)));
    logins.pause(true);
    assertThat(done).isEmpty();
    timers.pass(Duration.ofMillis(1));
    assertThat(done).containsExactly("a");
    logins.pause(true);
    login("b");
    assertThat(done).containsExactly("a");
  }
}
