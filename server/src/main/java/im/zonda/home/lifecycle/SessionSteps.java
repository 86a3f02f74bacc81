package im.zonda.home.lifecycle;

import im.zonda.home.HomeTask;
import im.zonda.home.account.AccountHome;
import im.zonda.home.account.AccountRegistry;
import im.zonda.home.session.LocalSession;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Steps for many sessions, each at its home, and the wait for all of them.
final class SessionSteps {
  private static final Logger log = LoggerFactory.getLogger(SessionSteps.class);
  private static final long PATIENCE_SECONDS = 10;

  private final AccountRegistry registry;

  SessionSteps(AccountRegistry registry) {
    this.registry = registry;
  }

  /// A step for one session at its home; runs `done` in the end.
  interface Step {
    void run(AccountHome home, LocalSession session, Runnable done);
  }

  /// Runs the step for all sessions, and waits until all are done, at most for the patience; then
  /// logs `late`.
  void run(List<LocalSession> all, String late, Step step) {
    CountDownLatch waiting = new CountDownLatch(all.size());
    for (LocalSession session : all) {
      Runnable done = once(waiting::countDown);
      HomeTask<AccountHome> task =
          new HomeTask<>() {
            @Override
            public void run(AccountHome home) {
              step.run(home, session, done);
            }

            @Override
            public void failed(Throwable cause) {
              done.run(); // reported by the mailbox
            }
          };
      if (!registry.submit(session.jid().bare(), task, null)) {
        done.run();
      }
    }
    try {
      if (!waiting.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        log.atWarn().addKeyValue("missing", waiting.getCount()).log(late);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// An action that runs at its first call only: a step that is done may fail later.
  private static Runnable once(Runnable action) {
    AtomicBoolean done = new AtomicBoolean();
    return () -> {
      if (done.compareAndSet(false, true)) {
        action.run();
      }
    };
  }
}
