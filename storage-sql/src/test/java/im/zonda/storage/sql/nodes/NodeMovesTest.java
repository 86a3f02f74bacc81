package im.zonda.storage.sql.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.Storage;
import im.zonda.config.limits.Limits;
import im.zonda.jid.Jid;
import im.zonda.storage.contract.StoresContract;
import im.zonda.storage.sql.SqlStores;
import im.zonda.storage.sql.TestDatabase;
import im.zonda.store.MessageArchive;
import im.zonda.store.MessageLog;
import im.zonda.store.MessageLog.Entry;
import im.zonda.store.MessageLog.Keep;
import im.zonda.store.RosterItem;
import im.zonda.store.Stores;
import im.zonda.store.Subscription;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/// Homes of owners move at random between three nodes whose clocks differ, while owners write to
/// each other: ids grow for each owner, and archives and waiting messages are those of the model.
@ParameterizedClass
@MethodSource("im.zonda.storage.sql.TestDatabase#servers")
@Timeout(120)
class NodeMovesTest {
  private static final int SEEDS = 4;
  private static final int STEPS = 250;

  /// How far the clock of each node is off.
  private static final List<Duration> OFF =
      List.of(Duration.ZERO, Duration.ofMillis(-900), Duration.ofMillis(700));

  private final TestDatabase database;
  @TempDir Path folder;
  private final List<SqlStores> nodes = new ArrayList<>();
  private final List<Owner> owners = new ArrayList<>();
  private Random random = new Random();
  private int messages;

  NodeMovesTest(TestDatabase database) {
    this.database = database;
  }

  /// What must be stored of an owner.
  private static final class Owner {
    final Jid jid;
    final TreeMap<Long, String> archive = new TreeMap<>();
    final TreeMap<Long, String> waiting = new TreeMap<>();
    SqlStores home;
    long newest = Long.MIN_VALUE;
    long version;

    Owner(Jid jid, SqlStores home) {
      this.jid = jid;
      this.home = home;
    }

    /// As an account's home, which knows its newest id.
    void appended(long id, String body) {
      assertThat(id).as("id of " + body + " at " + jid).isGreaterThan(newest);
      newest = id;
      archive.put(id, body);
    }
  }

  @BeforeEach
  void open() {
    for (int i = 0; i < OFF.size(); i++) {
      nodes.add(node(i));
    }
    for (int i = 0; i < 5; i++) {
      Jid jid = Jid.of("owner" + i + "@example.net");
      nodes.get(i % nodes.size()).accounts().create(List.of(StoresContract.account(jid)));
      owners.add(new Owner(jid, nodes.getFirst()));
    }
  }

  private SqlStores node(int number) {
    InstantSource time = () -> InstantSource.system().instant().plus(OFF.get(number));
    return SqlStores.openNode(
        folder,
        database.settings(folder, new Storage(true, true, 0, 512, true)),
        Limits.defaults(),
        time,
        TestDatabase.process("node" + number));
  }

  @AfterEach
  void close() {
    nodes.forEach(SqlStores::close);
  }

  @RepeatedTest(SEEDS)
  void whatIsStoredFollowsTheHomes(RepetitionInfo round) {
    random = new Random(round.getCurrentRepetition());
    for (int step = 0; step < STEPS; step++) {
      Owner owner = any();
      switch (random.nextInt(12)) {
        case 0, 1, 2 -> move(owner);
        case 3 -> deliver(owner);
        case 4 -> changeRoster(owner);
        case 5 -> purge(owner);
        case 6 -> reopen(random.nextInt(nodes.size()));
        case 7 -> check(owner);
        default -> send(owner, any());
      }
    }
    owners.forEach(this::check);
  }

  private Owner any() {
    return owners.get(random.nextInt(owners.size()));
  }

  private void move(Owner owner) {
    owner.home.messages().flush();
    owner.home = nodes.get(random.nextInt(nodes.size()));
    Stores.HomeData home =
        Objects.requireNonNull(owner.home.readHome(owner.jid, Set.of(), owner.newest));
    owner.newest = home.start().newest();
    assertThat(home.start().waiting()).isEqualTo(owner.waiting.size());
    assertThat(home.roster().version()).isEqualTo(owner.version);
  }

  /// As two homes do: the receiver's stores the sender's copy too if its id is the highest there.
  private void send(Owner from, Owner to) {
    if (from.equals(to)) {
      return;
    }
    String body = "word" + messages++;
    long id = from.home.messages().nextId();
    from.appended(id, body);
    Entry sent = entry(from, to, id, from, body);
    if (id > to.newest && random.nextInt(4) != 0) {
      to.appended(id, body);
      to.home.messages().append(entry(to, from, id, from, body), Keep.ARCHIVE, true, sent);
    } else {
      from.home.messages().append(sent, Keep.ARCHIVE, false);
      id = to.home.messages().nextId();
      to.appended(id, body);
      to.home.messages().append(entry(to, from, id, from, body), Keep.ARCHIVE, true);
    }
    to.waiting.put(id, body);
  }

  private static Entry entry(Owner owner, Owner with, long id, Owner from, String body) {
    Jid to = from.equals(owner) ? with.jid : owner.jid;
    return new Entry(owner.jid, id, with.jid, StoresContract.message(from.jid, to, body));
  }

  private static void deliver(Owner owner) {
    owner.home.messages().delivered(owner.jid, List.copyOf(owner.waiting.keySet()));
    owner.waiting.clear();
  }

  private void changeRoster(Owner owner) {
    long version =
        owner
            .home
            .rosters()
            .put(
                owner.jid,
                new RosterItem(
                    any().jid,
                    "name" + messages++,
                    Subscription.NONE,
                    false,
                    false,
                    List.of(),
                    null,
                    true));
    assertThat(version).isGreaterThan(owner.version);
    owner.version = version;
  }

  /// Removes the oldest up to the first that waits.
  private void purge(Owner owner) {
    nodes.forEach(node -> node.messages().flush());
    int limit = random.nextInt(5);
    owner.home.archive().purge(owner.jid, Long.MAX_VALUE, 0, limit);
    for (int i = 0; i < limit && !owner.archive.isEmpty(); i++) {
      long oldest = owner.archive.firstKey();
      if (owner.waiting.containsKey(oldest)) {
        break;
      }
      owner.archive.remove(oldest);
    }
  }

  /// A node that starts again has no homes.
  private void reopen(int number) {
    SqlStores closed = nodes.get(number);
    closed.close();
    nodes.set(number, node(number));
    for (Owner owner : owners) {
      if (owner.home.equals(closed)) {
        owner.home = nodes.get((number + 1) % nodes.size());
        owner.newest = owner.home.clusterLog().takeOver(owner.jid, owner.newest);
      }
    }
  }

  private void check(Owner owner) {
    nodes.forEach(node -> node.messages().flush());
    MessageLog log = owner.home.messages();
    assertThat(log.waiting(owner.jid, Long.MIN_VALUE, 10_000).stream().map(StoresContract::body))
        .containsExactlyElementsOf(owner.waiting.values());
    assertThat(log.waitingCount(owner.jid)).isEqualTo(owner.waiting.size());
    for (boolean backwards : new boolean[] {false, true}) {
      assertThat(read(owner, MessageArchive.Filter.ALL, backwards).stream().map(Entry::id))
          .containsExactlyElementsOf(owner.archive.keySet());
      assertThat(
              read(owner, MessageArchive.Filter.ALL, backwards).stream().map(StoresContract::body))
          .containsExactlyElementsOf(owner.archive.values());
    }
    if (!owner.archive.isEmpty()) {
      String body = owner.archive.lastEntry().getValue();
      MessageArchive.Filter words =
          new MessageArchive.Filter(null, Long.MIN_VALUE, Long.MAX_VALUE, null, body);
      assertThat(read(owner, words, false).stream().map(StoresContract::body))
          .containsExactly(body);
    }
  }

  private static List<Entry> read(Owner owner, MessageArchive.Filter filter, boolean backwards) {
    return owner
        .home
        .archive()
        .page(owner.jid, filter, new MessageArchive.Portion(backwards, 10_000, Long.MAX_VALUE))
        .entries();
  }
}
