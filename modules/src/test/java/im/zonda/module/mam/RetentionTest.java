package im.zonda.module.mam;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.ServerConfig;
import im.zonda.config.Storage;
import im.zonda.config.copy.RecordCopy;
import im.zonda.jid.Jid;
import im.zonda.module.roster.RosterModule;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestXml;
import im.zonda.store.MessageLog.Entry;
import im.zonda.store.MessageLog.Keep;
import im.zonda.store.RoomStore;
import im.zonda.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class RetentionTest {
  private final TestContext context = new TestContext();

  /// The configuration with an archive of at most `days` days and `entries` entries.
  private static ServerConfig with(ServerConfig all, int days, int entries) {
    return with(all, all.storage(), new ServerConfig.Archive(days, entries, 100));
  }

  /// The configuration with that part of the storage switched off.
  static ServerConfig with(ServerConfig all, String off) {
    return with(
        all, new Storage(!off.equals("archive"), !off.equals("durable"), 2, 512), all.archive());
  }

  private static ServerConfig with(
      ServerConfig all, Storage storage, ServerConfig.Archive archive) {
    return RecordCopy.with(RecordCopy.with(all, "storage", storage), "archive", archive);
  }

  private void install(int days, int entries) {
    context.config(with(context.config(), days, entries));
    RosterModule roster = new RosterModule();
    context.install(roster, new MamModule(roster));
  }

  private void fill(String account, int entries, Instant time) {
    Jid owner = Jid.of(account);
    for (int i = 0; i < entries; i++) {
      context
          .stores()
          .messages()
          .append(
              new Entry(
                  owner,
                  time.toEpochMilli() * 1_000 + i,
                  owner,
                  TestXml.message("<message><body>x</body></message>")),
              Keep.ARCHIVE,
              false);
    }
  }

  private int left(String account) {
    return context.stores().messages().entries(Jid.of(account)).size();
  }

  /// Runs `count` steps.
  private void steps(int count) {
    for (int i = 0; i < count; i++) {
      context.clock().advance(Duration.ofSeconds(1));
      context.runTasks();
    }
  }

  @Test
  void withoutRulesNothingHappens() {
    install(0, 0);
    context.account("juliet@example.org");
    fill("juliet@example.org", 10, Instant.EPOCH);
    steps(5);
    assertThat(left("juliet@example.org")).isEqualTo(10);
  }

  @Test
  void row79_whatIsTooMuchGoesALittleAtATime() {
    install(0, 100);
    context.account("juliet@example.org");
    context.account("romeo@example.org");
    fill("juliet@example.org", 1_700, context.clock().instant());
    fill("romeo@example.org", 101, context.clock().instant().plusSeconds(1));
    steps(1);
    assertThat(left("juliet@example.org")).isEqualTo(1_200);
    steps(10);
    assertThat(left("juliet@example.org")).isEqualTo(100);
    assertThat(left("romeo@example.org")).isEqualTo(100);
  }

  @Test
  void whatIsTooOldGoesHourByHourOnEveryAccount() {
    install(30, 0);
    for (int i = 0; i < 250; i++) {
      context.account("user" + i + "@example.org");
    }
    Instant now = context.clock().instant();
    fill("user0@example.org", 3, now.minus(Duration.ofDays(31)));
    fill("user249@example.org", 3, now.minus(Duration.ofDays(31)));
    fill("user99@example.org", 3, now.minus(Duration.ofDays(30)).plusSeconds(1_800));
    steps(10);
    assertThat(left("user0@example.org")).isZero();
    assertThat(left("user249@example.org")).isZero();
    assertThat(left("user99@example.org")).isEqualTo(3);
    context.clock().advance(Duration.ofHours(2));
    context.runTasks();
    steps(10);
    assertThat(left("user99@example.org")).isZero();
  }

  private void room(String address) {
    context
        .stores()
        .rooms()
        .save(
            new RoomStore.Room(
                Jid.of(address), null, context.clock().instant(), true, true, address, ""),
            List.of());
  }

  @Test
  void row79_whatIsTooMuchInRoomsGoesALittleAtATime() {
    install(0, 100);
    context.account("juliet@example.org");
    room("garden@rooms.example.org");
    room("tomb@rooms.example.org");
    room("tomb@rooms.example.net");
    Instant now = context.clock().instant();
    fill("juliet@example.org", 101, now);
    fill("garden@rooms.example.org", 1_700, now.plusSeconds(1));
    fill("tomb@rooms.example.org", 101, now.plusSeconds(2));
    fill("tomb@rooms.example.net", 101, now.plusSeconds(3));
    steps(2);
    assertThat(left("juliet@example.org")).isEqualTo(100);
    assertThat(left("garden@rooms.example.org")).isEqualTo(1_200);
    steps(10);
    assertThat(left("garden@rooms.example.org")).isEqualTo(100);
    assertThat(left("tomb@rooms.example.org")).isEqualTo(100);
    assertThat(left("tomb@rooms.example.net")).isEqualTo(101); // another host's
  }

  @Test
  void whatIsTooOldGoesHourByHourInEveryRoom() {
    install(30, 0);
    for (int i = 0; i < 250; i++) {
      room("room" + i + "@rooms.example.org");
    }
    Instant now = context.clock().instant();
    fill("room0@rooms.example.org", 3, now.minus(Duration.ofDays(31)));
    fill("room249@rooms.example.org", 3, now.minus(Duration.ofDays(31)).plusSeconds(1));
    fill("room99@rooms.example.org", 3, now.minus(Duration.ofDays(30)).plusSeconds(1_800));
    steps(10);
    assertThat(left("room0@rooms.example.org")).isZero();
    assertThat(left("room249@rooms.example.org")).isZero();
    assertThat(left("room99@rooms.example.org")).isEqualTo(3);
    context.clock().advance(Duration.ofHours(2));
    context.runTasks();
    steps(10);
    assertThat(left("room99@rooms.example.org")).isZero();
  }

  @Test
  void aDefectAtOneOwnerLeavesTheOthersTheirTurnAndEndsNothing() {
    install(0, 1);
    context.account("juliet@example.org");
    context.account("romeo@example.org");
    fill("juliet@example.org", 3, context.clock().instant());
    fill("romeo@example.org", 3, context.clock().instant().plusSeconds(1));
    context.stores().failBy(new IllegalStateException("an entry that cannot be read"));
    steps(1);
    context.stores().failBy(null);
    steps(5);
    assertThat(left("juliet@example.org")).isEqualTo(3);
    assertThat(left("romeo@example.org")).isEqualTo(1);
    context.clock().advance(Duration.ofHours(1));
    steps(5);
    assertThat(left("juliet@example.org")).isEqualTo(1);
  }

  @Test
  void aClockThatIsSetBackDoesNotStopIt() {
    install(0, 1);
    context.account("juliet@example.org");
    steps(5); // all got their turn
    fill("juliet@example.org", 3, context.clock().instant());
    context.clock().setBack(Duration.ofDays(365));
    steps(5);
    assertThat(left("juliet@example.org")).isEqualTo(1);
  }

  @Test
  void aStoreThatFailsIsAskedAgainLater() {
    install(0, 1);
    context.account("juliet@example.org");
    fill("juliet@example.org", 3, context.clock().instant());
    context.stores().fail(StoreException.Category.UNAVAILABLE);
    steps(2);
    assertThat(left("juliet@example.org")).isEqualTo(3);
    context.stores().fail(null);
    context.clock().advance(Duration.ofHours(1));
    context.runTasks();
    assertThat(left("juliet@example.org")).isEqualTo(1);
  }
}
