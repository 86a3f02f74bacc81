package im.zonda.bench.scenario.office;

import im.zonda.bench.scenario.person.Person;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// A user who does something now and then, at times that do not depend on the server. Confined to
/// the loop of the client.
final class OfficeUser {
  private static final double NANOS = 1e9;
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private final Office office;
  private final Person person;
  private final long begin;
  private final SplittableRandom random;
  private @Nullable CompletableFuture<Void> entered;
  private boolean away;

  OfficeUser(Office office, Person person, long begin) {
    this.office = office;
    this.person = person;
    this.begin = begin;
    random = new SplittableRandom(office.load().options().whole("seed") * GOLDEN + person.number());
  }

  /// Reads the roster as clients do, and works from then on.
  void begin() {
    long now = System.nanoTime();
    watch("the roster", person.readRoster(now));
    next(now);
  }

  /// A Poisson process: the time to the next request does not depend on the last one.
  private void next(long from) {
    double seconds =
        -Math.log(1 - random.nextDouble()) * office.numbers().interval(person.number());
    long due = from + (long) (seconds * NANOS);
    if (due - begin < office.numbers().end()) {
      person.loop().at(due, () -> work(due));
    }
  }

  private void work(long due) {
    if (office.isOver()) {
      return;
    }
    office.load().counters().add(Office.REQUESTS, 1);
    boolean talks =
        office.numbers().isActive(person.number()) && due - begin >= office.numbers().rooms();
    switch (office.weights().next(random)) {
      case MESSAGE -> {
        if (talks) {
          talk(due);
        } else {
          person.write(someone(due), due);
        }
      }
      case ROSTER -> watch("the roster", person.readRoster(due));
      case VCARD -> watch("a vCard", person.readVcard(someone(due), due));
      case PRESENCE -> {
        away = !away;
        person.send(away ? "<presence><show>away</show></presence>" : "<presence/>");
      }
    }
    next(due);
  }

  /// A user who should be there by now.
  private String someone(long due) {
    return Person.address(office.load(), random.nextInt(office.numbers().there(due - begin)));
  }

  /// Writes into the own room. The first time enters it instead, and writes to people meanwhile.
  private void talk(long due) {
    if (entered != null && !entered.isCompletedExceptionally()) {
      if (entered.isDone()) {
        watch("a message to a room", person.writeToRoom(due));
      } else {
        person.write(someone(due), due);
      }
      return;
    }
    int number = person.number() / office.numbers().occupants();
    String room = "office" + number + "@rooms." + office.load().endpoint(person.number()).domain();
    entered = person.enter(room, due);
    watch("a room", entered);
  }

  private void watch(String what, CompletableFuture<Void> done) {
    var _ =
        done.whenComplete((_, failure) -> {
          if (failure != null) {
            office.failed(what + " had no answer", failure);
          }
        });
  }

  void close() {
    person.close();
  }
}
