package im.zonda.app.noloss;

import im.zonda.config.ServerConfig;
import im.zonda.jid.Jid;
import im.zonda.storage.sql.SqlStores;
import im.zonda.store.MessageArchive;
import im.zonda.store.MessageLog;
import im.zonda.store.StanzaIds;
import im.zonda.store.Stores;
import im.zonda.testkit.history.RoomLedger;
import im.zonda.testkit.history.RoomLedger.Said;
import im.zonda.testkit.noloss.NoLossPlan;
import im.zonda.testkit.xml.XmlElement;
import im.zonda.xml.Element;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// One run: people talk in a room while the server under them is killed and started again; in the
/// end what they remember is compared with what the room has.
final class RoomsNoLossRun {
  private static final int SPEAKERS = 6;
  private static final int PAGE = 5_000;
  static final String WITNESS = "witness";
  private static final Duration PATIENCE = Duration.ofSeconds(40);

  /// What came of it.
  record Result(RoomLedger.Report report, List<String> violations, String line) {}

  private final Path folder;
  private final int lives;
  private final boolean durable;
  private final SplittableRandom random;

  /// A run that writes into that folder, which must be empty.
  ///
  /// @param lives how often the server is ended in the midst of it; every third time in the proper
  ///   way
  RoomsNoLossRun(Path folder, int lives, boolean durable, long seed) {
    this.folder = folder;
    this.lives = lives;
    this.durable = durable;
    this.random = new SplittableRandom(seed);
  }

  /// Runs from the first start to the judgement.
  Result run() throws IOException, InterruptedException {
    try (KilledServer server = new KilledServer(folder, durable, "")) {
      List<String> names = IntStream.range(0, SPEAKERS).mapToObj(RoomSpeaker::name).toList();
      server.addAccounts(Stream.concat(names.stream(), Stream.of(WITNESS)).toList());
      server.start();
      try (RoomVisit owner = RoomVisit.of(server.lives().await(), names.getFirst())) {
        owner.found(names);
      }
      RoomRunState course = new RoomRunState(server.lives());
      talk(server, course);
      // Whatever was acknowledged up to the last moment.
      server.kill();
      List<Said> archive = archive();
      server.start();
      try (RoomVisit witness = RoomVisit.of(server.lives().await(), WITNESS)) {
        inspect(witness, course, archive);
      }
      server.errors().stream().limit(10).forEach(course::violated);
      RoomLedger.Report report = course.ledger().report(archive);
      return new Result(report, course.violations(), line(course, archive, report));
    }
  }

  private void talk(KilledServer server, RoomRunState course)
      throws IOException, InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < SPEAKERS; i++) {
      threads.add(Thread.ofVirtual().start(new RoomSpeaker(course, i, random.split())));
    }
    for (int life = 0; life < lives; life++) {
      if (!server.lives(random.nextLong(600, 1_500))) {
        course.violated("the server has died by itself");
      }
      if (life % 3 == 1 && !server.stop()) {
        course.violated("the server does not stop");
      } else {
        server.kill();
      }
      server.start();
    }
    course.pause(500);
    course.calm();
    for (Thread thread : threads) {
      if (!thread.join(PATIENCE)) {
        course.violated("something is never acknowledged");
      }
    }
    course.over();
  }

  /// The room's archive as it is on the disk.
  private List<Said> archive() {
    ServerConfig config = ServerConfig.defaults(List.of(NoLossPlan.DOMAIN), folder.resolve("data"));
    List<Said> all = new ArrayList<>();
    try (Stores stores =
        SqlStores.open(
            folder.resolve("data"), config.storage(), config.limits(), InstantSource.system())) {
      long from = Long.MIN_VALUE;
      MessageArchive.Page page;
      do {
        page =
            stores
                .archive()
                .page(
                    Jid.of(RoomRunState.ROOM),
                    new MessageArchive.Filter(null, from, Long.MAX_VALUE, null, null),
                    new MessageArchive.Portion(false, PAGE, Long.MAX_VALUE));
        for (MessageLog.Entry entry : page.entries()) {
          from = entry.id() + 1;
          if (entry.message().hasBody()) {
            Element stanzaId = Objects.requireNonNull(entry.message().payload(StanzaIds.NAME));
            all.add(
                new Said(
                    String.valueOf(stanzaId.attribute("id")),
                    String.valueOf(entry.message().id())));
          }
        }
      } while (!page.complete());
    }
    return all;
  }

  /// What the room is like after the last kill.
  private void inspect(RoomVisit witness, RoomRunState course, List<Said> archive) {
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
    if (!witness.archive().equals(archive)) {
      course.violated("the archive is told otherwise than it is on the disk");
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

  private static String line(RoomRunState course, List<Said> archive, RoomLedger.Report report) {
    RoomLedger ledger = course.ledger();
    return String.format(
        Locale.ROOT,
        "rooms no-loss: %d acknowledged, %d in the archive, %d refused, %d heard in %d stays, %d"
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
