package im.zonda.app.noloss.room;

import im.zonda.testkit.history.Journal;
import im.zonda.testkit.history.RoomLedger;
import im.zonda.testkit.history.RoomLedger.Said;
import im.zonda.testkit.noloss.NoLossPlan;
import im.zonda.testkit.noloss.ServerLives;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// People who talk in a room while the server under them is disturbed, and a witness who compares
/// what they remember with what the room has.
public final class RoomTalk {
  private static final int SPEAKERS = 6;
  private static final String WITNESS = RoomVisit.WITNESS;
  private static final Duration PATIENCE = Duration.ofSeconds(40);

  /// What came of it.
  ///
  /// @param archive what the room has
  /// @param violations what else is wrong; more may be added
  public record Result(
      RoomLedger.Report report, List<Said> archive, List<String> violations, String line) {
    /// Whether nothing is wrong.
    public boolean clean() {
      return report.clean() && violations.isEmpty();
    }
  }

  private final RoomRunState course;
  private final SplittableRandom random;
  private final List<Thread> threads = new ArrayList<>();

  private RoomTalk(RoomRunState course, SplittableRandom random) {
    this.course = course;
    this.random = random;
  }

  /// A talk at one server, which has not begun.
  public static RoomTalk atOneServer(ServerLives lives, SplittableRandom random) {
    return new RoomTalk(new RoomRunState(lives, false, new RoomLedger(), null), random);
  }

  /// A talk over the nodes of a cluster, which has not begun. A room outlives sessions of its
  /// occupants there, and may send again what it had sent.
  ///
  /// @param plan says what chance is made from, and whether all use TLS
  /// @param journal gets what happens
  public static RoomTalk inCluster(ServerLives lives, NoLossPlan plan, Journal journal) {
    return new RoomTalk(
        new RoomRunState(lives, plan.tls(), new RoomLedger(true), journal),
        new SplittableRandom(plan.seed()));
  }

  /// The accounts of all who take part.
  public static List<String> accounts() {
    return Stream.concat(speakers().stream(), Stream.of(WITNESS)).toList();
  }

  private static List<String> speakers() {
    return IntStream.range(0, SPEAKERS).mapToObj(RoomSpeaker::name).toList();
  }

  /// Makes the room; all begin to talk.
  public void start() throws IOException, InterruptedException {
    try (RoomVisit owner = RoomVisit.of(course, speakers().getFirst())) {
      owner.found(speakers());
    }
    for (int i = 0; i < SPEAKERS; i++) {
      threads.add(Thread.ofVirtual().start(new RoomSpeaker(course, i, random.split())));
    }
  }

  /// All say their last words, wait until they are acknowledged, and go.
  public void finish() throws InterruptedException {
    course.pause(500);
    course.calm();
    for (Thread thread : threads) {
      if (!thread.join(PATIENCE)) {
        course.violated("something is never acknowledged");
      }
    }
    course.over();
  }

  /// Something is not as it should be.
  public void violated(String how) {
    course.violated(how);
  }

  /// Reads the room's archive, and compares it with the messages that all occupants remember.
  public Result judge() throws IOException, InterruptedException {
    try (RoomVisit witness = RoomVisit.of(course, WITNESS)) {
      List<Said> archive = witness.archive();
      inspect(witness, archive);
      RoomLedger.Report report = course.ledger().report(archive);
      return new Result(report, archive, course.violations(), line(archive, report));
    }
  }

  /// What the room is like now.
  private void inspect(RoomVisit witness, List<Said> archive) {
    List<Said> history = new ArrayList<>();
    long topic = -1;
    for (XmlElement message : witness.enter()) {
      if (message.child("body") != null) {
        history.add(RoomVisit.said(message));
      } else {
        topic = Long.parseLong(message.childText("subject").replace("topic-", ""));
      }
    }
    int size = history.size();
    if (size == 0 || !history.equals(archive.subList(archive.size() - size, archive.size()))) {
      course.violated("the history is not the end of the archive: " + history);
    }
    if (topic < course.topic()) {
      course.violated("the subject is " + topic + ", not " + course.topic());
    }
    List<String> members = witness.affiliated("member");
    List<String> missing = new ArrayList<>(course.members());
    missing.removeAll(members);
    if (!missing.isEmpty()) {
      course.violated("no members any more: " + missing);
    }
    if (!Set.of(RoomSpeaker.name(0), WITNESS).equals(Set.copyOf(witness.affiliated("owner")))) {
      course.violated("the owners are others");
    }
    if (!witness.configured("muc#roomconfig_roomname").equals(RoomVisit.NAME)
        || !witness.configured("muc#roomconfig_membersonly").equals("1")) {
      course.violated("the configuration is another");
    }
  }

  private String line(List<Said> archive, RoomLedger.Report report) {
    RoomLedger ledger = course.ledger();
    return String.format(
        Locale.ROOT,
        "%d acknowledged, %d in the archive, %d refused, %d heard in %d stays, %d"
            + " resumed, %d bound again, %d members, topic %d; %s; %s",
        ledger.acknowledgedCount(),
        archive.size(),
        ledger.refusedCount(),
        ledger.heardCount(),
        ledger.stayCount(),
        course.resumed().sum(),
        course.boundAnew().sum(),
        course.members().size(),
        course.topic(),
        report,
        course.violations().isEmpty()
            ? "no violations"
            : course.violations().stream().limit(5).toList());
  }
}
