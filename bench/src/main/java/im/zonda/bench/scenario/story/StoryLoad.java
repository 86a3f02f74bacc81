package im.zonda.bench.scenario.story;

import im.zonda.bench.load.Counters;
import im.zonda.bench.load.Load;
import im.zonda.bench.load.Waiting;
import im.zonda.bench.scenario.person.Person;
import im.zonda.bench.xmpp.ClientLoop;
import im.zonda.bench.xmpp.Failures;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.PrimitiveIterator;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;

/// The stories of this process.
public final class StoryLoad implements AutoCloseable {
  /// The counter of stories that went to their end.
  static final String COMPLETE = "stories";

  private static final double NANOS = 1e9;
  private static final double DRAIN_SECONDS = 30;

  private final Load load;
  private final StoryNumbers numbers;
  private final List<Person> listeners = new ArrayList<>();
  private final Set<Integer> present = ConcurrentHashMap.newKeySet();
  private final List<CompletableFuture<Void>> schedules = new ArrayList<>();
  private volatile long end = Long.MAX_VALUE;
  private volatile boolean ended;

  /// @param load with the options of [StoryScenario]
  public StoryLoad(Load load) {
    this.load = load;
    numbers = StoryNumbers.of(load.options());
  }

  /// Logs those in who listen, and has them make the rooms.
  public void begin() throws IOException {
    for (int i = 0; i < numbers.listeners(); i++) {
      if (load.isMine(i)) {
        try {
          Person person = Person.login(load, i, System.nanoTime()).join();
          listeners.add(person);
          if (i < numbers.rooms()) {
            person.enter(room(i), System.nanoTime()).join();
          }
        } catch (CompletionException e) {
          throw new IOException("u" + i + ": " + Failures.describe(e), e);
        }
        load.progress(i + 1, numbers.listeners(), "people who listen");
      }
    }
  }

  private String room(int number) {
    return "story" + number % numbers.rooms() + "@rooms." + load.endpoint(number).domain();
  }

  /// Has people arrive from a time on.
  public void arrive(long begin) {
    for (ClientLoop loop : load.loops().all()) {
      schedules.add(loop.pace(dues(loop, begin), due -> story(number(due, begin), due)));
    }
  }

  private int number(long due, long begin) {
    return (int) Math.round((due - begin) * numbers.rate() / NANOS);
  }

  /// When the stories are due whose people are of this process and of a loop.
  private PrimitiveIterator.OfLong dues(ClientLoop loop, long begin) {
    Set<Integer> own = new HashSet<>();
    for (int i = 0; i < numbers.pool(); i++) {
      int visitor = numbers.visitor(i);
      if (load.isMine(visitor) && load.loops().of(visitor) == loop) {
        own.add(visitor);
      }
    }
    return LongStream.iterate(0, i -> i + 1)
        .filter(i -> own.contains(numbers.visitor((int) i)))
        .map(i -> begin + (long) (i * NANOS / numbers.rate()))
        .takeWhile(due -> due - end < 0 && !ended)
        .iterator();
  }

  /// Ends the arrivals at a time, and waits for it.
  public void arriveUntil(long nanos) throws InterruptedException {
    end = nanos;
    Waiting.until(nanos);
    ended = true;
  }

  /// Waits until those who have arrived are gone.
  public void drain() throws InterruptedException {
    if (!Waiting.until(present::isEmpty, DRAIN_SECONDS)) {
      load.counters()
          .problem(present.size() + " stories had not ended half a minute after the last");
    }
  }

  private void story(int number, long due) {
    int visitor = numbers.visitor(number);
    if (ended) {
      return;
    }
    if (!present.add(visitor)) {
      load.counters().add(Counters.ERRORS, 1);
      load.counters().problem("a person was to arrive whose story before had not ended");
      return;
    }
    CompletableFuture<Void> told =
        Person.login(load, visitor, due)
            .thenCompose(person -> tell(person, number).whenComplete((_, _) -> person.close()));
    var _ =
        told.whenComplete((_, failure) -> {
          present.remove(visitor);
          if (failure == null) {
            load.counters().add(COMPLETE, 1);
          } else {
            load.counters().add(Counters.ERRORS, 1);
            load.counters().problem("a story ended early: " + Failures.describe(failure));
          }
        });
  }

  private CompletableFuture<Void> tell(Person person, int number) {
    String online = Person.address(load, number % numbers.listeners());
    String absent = Person.address(load, numbers.absentee(number));
    String contact = Person.address(load, numbers.visitor(number + 1));
    return think(person)
        .thenCompose(person::readRoster)
        .thenCompose(_ -> think(person))
        .thenCompose(due -> person.readVcard(contact, due))
        .thenCompose(_ -> think(person))
        .thenAccept(due -> person.write(online, due))
        .thenCompose(_ -> think(person))
        .thenCompose(due -> person.writeToAbsent(absent, due))
        .thenCompose(_ -> think(person))
        .thenCompose(due -> person.enter(room(number), due))
        .thenCompose(_ -> think(person))
        .thenCompose(person::writeToRoom)
        .thenCompose(_ -> think(person))
        .thenAccept(_ -> person.leaveRoom());
  }

  /// Completes after the time for thinking, on the loop of the person, with when it was over.
  private CompletableFuture<Long> think(Person person) {
    CompletableFuture<Long> over = new CompletableFuture<>();
    long due = System.nanoTime() + numbers.think();
    person.loop().at(due, () -> over.complete(due));
    return over;
  }

  @Override
  public void close() {
    schedules.forEach(each -> each.cancel(false));
    listeners.forEach(Person::close);
  }
}
