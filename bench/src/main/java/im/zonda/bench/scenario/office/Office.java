package im.zonda.bench.scenario.office;

import im.zonda.bench.load.Counters;
import im.zonda.bench.load.Load;
import im.zonda.bench.load.Waiting;
import im.zonda.bench.scenario.person.Person;
import im.zonda.bench.xmpp.ClientLoop;
import im.zonda.bench.xmpp.Failures;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;

/// The users of this process.
final class Office implements AutoCloseable {
  /// The counter of users who have logged in.
  static final String ONLINE = "online";

  /// The counter of what users have done.
  static final String REQUESTS = "requests";

  private static final double AUTO_SECONDS = 20;
  private static final double NANOS = 1e9;

  /// How many users warm up.
  private static final int WARMING = 200;

  private final Load load;
  private final OfficeNumbers numbers;
  private final Weights weights;
  private final Queue<OfficeUser> users = new ConcurrentLinkedQueue<>();
  private final List<CompletableFuture<Void>> schedules = new ArrayList<>();
  private volatile boolean ended;

  Office(Load load) {
    this.load = load;
    numbers = OfficeNumbers.of(load.options());
    weights = Weights.parse(load.options().text("weights"));
  }

  Load load() {
    return load;
  }

  OfficeNumbers numbers() {
    return numbers;
  }

  Weights weights() {
    return weights;
  }

  /// Whether users do nothing from now on.
  boolean isOver() {
    return ended;
  }

  /// Has some users log in, read and log out, one after another, so that neither the server nor the
  /// generator is cold when the first ones come.
  void warmUp(long begin) throws IOException {
    String given = load.options().text("warm-up");
    double seconds = given.equals("auto") ? AUTO_SECONDS : load.options().number("warm-up");
    int[] own =
        IntStream.range(0, numbers.accounts()).filter(load::isMine).limit(WARMING).toArray();
    for (int i = 0; own.length > 0 && System.nanoTime() - begin < seconds * NANOS; i++) {
      try {
        Person person = Person.login(load, own[i % own.length], System.nanoTime()).join();
        person.readRoster(System.nanoTime()).join();
        person.readVcard(Person.address(load, own[0]), System.nanoTime()).join();
        person.close();
      } catch (CompletionException e) {
        throw new IOException("before the load: " + Failures.describe(e), e);
      }
    }
  }

  /// Logs the users in when they are due, and lets them work until the end.
  void work(long begin) throws InterruptedException {
    for (ClientLoop loop : load.loops().all()) {
      int[] own =
          IntStream.range(0, numbers.accounts())
              .filter(load::isMine)
              .filter(user -> load.loops().of(user) == loop)
              .toArray();
      int[] next = {0};
      schedules.add(
          loop.pace(
              IntStream.of(own).mapToLong(user -> begin + numbers.login(user)).iterator(),
              due -> login(own[next[0]++], begin, due)));
    }
    long end = begin + numbers.end();
    for (long now = System.nanoTime(); now - end < 0; now = System.nanoTime()) {
      load.progress((now - begin) / 1_000_000_000L, numbers.end() / 1_000_000_000L, "seconds");
      Waiting.until(Math.min(end, now + 1_000_000_000L));
    }
    ended = true;
  }

  private void login(int number, long begin, long due) {
    if (ended) {
      return;
    }
    var _ =
        Person.login(load, number, due)
            .whenComplete((person, failure) -> {
              if (failure != null) {
                failed("u" + number + " could not log in", failure);
                return;
              }
              load.counters().add(ONLINE, 1);
              OfficeUser user = new OfficeUser(this, person, begin);
              users.add(user);
              user.begin();
            });
  }

  /// Counts a failure.
  void failed(String what, Throwable failure) {
    if (!ended) {
      load.counters().add(Counters.ERRORS, 1);
      load.counters().problem(what + ": " + Failures.describe(failure));
    }
  }

  @Override
  public void close() {
    ended = true;
    schedules.forEach(each -> each.cancel(false));
    users.forEach(OfficeUser::close);
  }
}
