package im.zonda.provider.program;

import im.zonda.account.provider.AccountProvider;
import im.zonda.account.provider.PasswordQuestion;
import im.zonda.account.provider.ProvidedAccount;
import im.zonda.account.provider.ProviderException;
import im.zonda.account.provider.TestStep;
import im.zonda.account.provider.Verdict;
import im.zonda.config.accounts.ProgramAccounts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/// Accounts of a program that answers by the extauth protocol. Several processes of it run; each is
/// asked one question at a time, in turn, and the next one if one does not run.
///
/// The program says no for a wrong password and for an account that it does not have; `isuser`,
/// which is asked after a no, tells them apart.
public final class ProgramProvider implements AccountProvider {
  /// The most time for a question, with that for a free process.
  static final Duration LIMIT = Duration.ofSeconds(30);

  private static final long LOOK_MILLIS = 200;
  private static final long STOP_NANOS = TimeUnit.SECONDS.toNanos(2);

  /// The most processes that may end without an answer to one question, which may be the reason.
  private static final int MOST_ENDED = 2;

  private final Program program;
  private final List<Instance> all;
  private final BlockingQueue<Instance> free;
  private final CountDownLatch closed = new CountDownLatch(1);

  private ProgramProvider(Program program, int instances) {
    this.program = program;
    this.all = Stream.generate(() -> new Instance(program)).limit(instances).toList();
    this.free = new ArrayBlockingQueue<>(instances, true, all);
  }

  /// Starts the processes, without waiting for them.
  ///
  /// @param name the name of the provider, for the log
  /// @param settings checked
  public static ProgramProvider start(String name, ProgramAccounts settings) {
    return start(name, settings, System::nanoTime);
  }

  static ProgramProvider start(String name, ProgramAccounts settings, LongSupplier nanos) {
    ProgramProvider provider =
        new ProgramProvider(Program.of(name, settings, nanos), settings.instances());
    Thread.ofVirtual().name("accounts-" + name).start(provider::lookAfterAll);
    return provider;
  }

  @Override
  public Set<Ability> abilities() {
    return Set.of(Ability.PASSWORD, Ability.FIND, Ability.SET_PASSWORD);
  }

  @Override
  public Verdict checkPassword(PasswordQuestion question)
      throws ProviderException, InterruptedException {
    String local = question.local();
    byte[] password = Questions.password(local, question.domain(), question.password());
    if (password == null || question.password().isEmpty()) {
      return Verdict.UNKNOWN;
    }
    if (ask(password)) {
      return new Verdict.Accepted(ProvidedAccount.of(local));
    }
    return find(question.domain(), local) instanceof Verdict.Accepted
        ? new Verdict.Wrong("the program has said no")
        : Verdict.UNKNOWN;
  }

  @Override
  public Verdict find(String domain, String local) throws ProviderException, InterruptedException {
    byte[] question = Questions.account(local, domain);
    return question != null && ask(question)
        ? new Verdict.Accepted(ProvidedAccount.of(local))
        : Verdict.UNKNOWN;
  }

  @Override
  public boolean setPassword(String domain, String local, String password)
      throws ProviderException, InterruptedException {
    byte[] question = Questions.newPassword(local, domain, password);
    return question != null && !password.isEmpty() && ask(question);
  }

  private boolean ask(byte[] question) throws ProviderException, InterruptedException {
    long deadline = program.nanos().getAsLong() + LIMIT.toNanos();
    List<Instance> tried = new ArrayList<>();
    int ended = 0;
    try {
      while (tried.size() < all.size() && ended < MOST_ENDED) {
        long left = deadline - program.nanos().getAsLong();
        Instance instance = free.poll(left, TimeUnit.NANOSECONDS);
        if (instance == null) {
          throw new ProviderException("all processes of the program are busy");
        }
        tried.add(instance);
        Answer answer = instance.ask(question, deadline);
        switch (answer) {
          case YES -> {
            return true;
          }
          case NO -> {
            return false;
          }
          case AWAY, UNASKED -> {}
          case ENDED -> ended++;
          case LATE, WRONG -> throw new ProviderException(answer.text());
        }
      }
    } finally {
      free.addAll(tried);
    }
    throw new ProviderException((ended > 0 ? Answer.ENDED : Answer.AWAY).text());
  }

  @Override
  public List<TestStep> test(PasswordQuestion question) throws InterruptedException {
    return new TestLogin(program).run(question);
  }

  private void lookAfterAll() {
    try {
      do {
        for (int i = 0; i < all.size(); i++) {
          all.get(i).killIfLate();
          Instance instance = free.poll();
          if (instance != null) {
            try {
              instance.lookAfter();
            } finally {
              free.add(instance);
            }
          }
        }
      } while (!closed.await(LOOK_MILLIS, TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // nobody does that
    }
  }

  /// Asks the processes to end, and ends those that have not after two seconds.
  @Override
  public void close() {
    closed.countDown();
    List<ProcessHandle> processes =
        all.stream().flatMap(instance -> instance.stop().stream()).toList();
    Endings.await(processes, STOP_NANOS);
  }
}
