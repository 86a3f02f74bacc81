package im.zonda.app.noloss.room;

import im.zonda.testkit.client.Login;
import im.zonda.testkit.history.Journal;
import im.zonda.testkit.history.RoomLedger;
import im.zonda.testkit.noloss.NoLossPlan;
import im.zonda.testkit.noloss.ServerLives;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// What all who talk in the room of one run share.
final class RoomRunState {
  static final String ROOM = "coven@rooms." + NoLossPlan.DOMAIN;

  private final ServerLives lives;
  private final Login.Security security;
  private final boolean losesDatabase;
  private final RoomLedger ledger;
  private final @Nullable Journal journal;
  private final CountDownLatch calm = new CountDownLatch(1);
  private final CountDownLatch over = new CountDownLatch(1);
  private final List<String> violations = new CopyOnWriteArrayList<>();
  private final Set<String> members = ConcurrentHashMap.newKeySet();
  private final AtomicLong topic = new AtomicLong();
  private final LongAdder resumed = new LongAdder();
  private final LongAdder boundAnew = new LongAdder();

  /// @param journal gets what happens in a cluster; null at one server
  /// @param tls whether all use TLS
  RoomRunState(ServerLives lives, boolean tls, RoomLedger ledger, @Nullable Journal journal) {
    this.lives = lives;
    this.losesDatabase = journal != null;
    this.security = tls ? Login.Security.STARTTLS : Login.Security.NONE;
    this.ledger = ledger;
    this.journal = journal;
  }

  ServerLives lives() {
    return lives;
  }

  /// How an account logs in.
  Login login(String account, String resource) {
    return Login.of(account + "@" + NoLossPlan.DOMAIN + "/" + resource, NoLossPlan.PASSWORD)
        .withSecurity(security);
  }

  /// Whether the database is away now and then.
  boolean losesDatabase() {
    return losesDatabase;
  }

  RoomLedger ledger() {
    return ledger;
  }

  /// Writes an event into the journal.
  void note(String event, String about) {
    if (journal != null) {
      journal.note(event, about);
    }
  }

  /// Ends the load: no client starts anything new.
  void calm() {
    calm.countDown();
  }

  boolean isCalm() {
    return calm.getCount() == 0;
  }

  /// Waits that long, or until the calm.
  void pause(long millis) throws InterruptedException {
    calm.await(millis, TimeUnit.MILLISECONDS);
  }

  /// Everybody goes.
  void over() {
    calm();
    over.countDown();
  }

  boolean isOver() {
    return over.getCount() == 0;
  }

  /// Waits that long, or until all is over.
  void rest(long millis) throws InterruptedException {
    over.await(millis, TimeUnit.MILLISECONDS);
  }

  /// Something is not as it should be.
  void violated(String how) {
    violations.add(how);
    note("violated", how);
  }

  List<String> violations() {
    return violations;
  }

  /// The room has confirmed that this account is a member.
  void isMember(String account) {
    members.add(account);
  }

  Set<String> members() {
    return members;
  }

  /// The server has acknowledged the subject of that number.
  void hasTopic(long number) {
    topic.accumulateAndGet(number, Math::max);
  }

  /// The last subject that was acknowledged.
  long topic() {
    return topic.get();
  }

  LongAdder resumed() {
    return resumed;
  }

  LongAdder boundAnew() {
    return boundAnew;
  }
}
