package im.zonda.cluster.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.cluster.ClusterRow;
import im.zonda.cluster.Member;
import im.zonda.cluster.engine.ClusterEngine;
import im.zonda.cluster.frame.Frame;
import im.zonda.cluster.frame.FrameCodec;
import im.zonda.cluster.placement.Owners;
import im.zonda.cluster.placement.Placement;
import im.zonda.cluster.placement.Stamp;
import im.zonda.cluster.placement.Topology;
import im.zonda.module.Scheduler;
import im.zonda.storage.memory.MemoryClusterRows;
import im.zonda.store.StoreException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// A membership with engines that the test moves, on the test's thread and with its clock.
class MembershipTest {
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final Member B = new Member("b", 1);

  private final MemoryClusterRows rows = new MemoryClusterRows();
  private final Deque<Runnable> tasks = new ArrayDeque<>();
  private final List<String> reported = new ArrayList<>();
  private final List<FakeEngine> engines = new ArrayList<>();
  private final Timer timer = new Timer();
  private Instant now = Instant.ofEpochMilli(1_000_000);
  private boolean failing;
  private @Nullable RuntimeException forgetting;
  private final Membership membership =
      new Membership(
          "a",
          new Membership.Parts(
              self -> new FakeEngine(self, engines),
              rows,
              timer,
              () -> now,
              tasks::add,
              tasks::add),
          PATIENCE,
          new Recorder());

  private final class FakeEngine implements ClusterEngine {
    private final Member self;
    private @Nullable Listener listener;
    private boolean closed;

    FakeEngine(Member self, List<FakeEngine> all) {
      this.self = self;
      all.add(this);
    }

    @Override
    public void start(Listener owner) throws IOException {
      if (failing) {
        throw new IOException("the address is in use");
      }
      listener = owner;
    }

    void show(long id, Member... members) {
      Owners owners = new Owners(members[0], members.length > 1 ? members[1] : null);
      if (listener != null) {
        listener.topologyChanged(
            new Topology(id, List.of(members), Collections.nCopies(2, owners)));
      }
      runTasks();
    }

    void deliver(byte[] frame) {
      if (listener != null) {
        listener.received(List.of(frame));
      }
    }

    @Override
    public void send(Member to, List<byte[]> frames, Departure departure) {
      frames.forEach(frame -> reported.add("send " + to + " " + frame.length));
    }

    @Override
    public Member self() {
      return self;
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  /// Keeps the one timer of the membership.
  private static final class Timer implements Scheduler {
    private @Nullable Runnable due;

    @Override
    public Cancellable schedule(Duration delay, Runnable task) {
      due = task;
      return () -> due = null;
    }

    void fire() {
      Runnable task = due;
      due = null;
      if (task != null) {
        task.run();
      }
    }
  }

  private final class Recorder implements MembershipListener {
    @Override
    public void installed(Placement placement) {
      reported.add("installed " + placement.stamp() + " " + placement.members());
    }

    @Override
    public void suspended(boolean suspended) {
      reported.add("suspended " + suspended);
    }

    @Override
    public void evicted() {
      reported.add("evicted");
      if (forgetting != null) {
        throw forgetting;
      }
    }

    @Override
    public void left() {
      reported.add("left");
    }

    @Override
    public void received(List<Frame> frames) {
      frames.forEach(frame -> reported.add("received " + frame.from()));
    }
  }

  private void runTasks() {
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
    }
  }

  private void pass(Duration time) {
    Instant end = now.plus(time);
    while (now.isBefore(end)) {
      now = now.plus(Membership.TICK);
      timer.fire();
      runTasks();
    }
  }

  private FakeEngine start() throws IOException {
    membership.start();
    return engines.getLast();
  }

  private List<String> taken() {
    List<String> result = List.copyOf(reported);
    reported.clear();
    return result;
  }

  @Test
  void theFirstNodeBeginsTheCluster() throws IOException {
    FakeEngine engine = start();
    engine.show(4, engine.self());
    assertThat(taken()).containsExactly("installed 1/4 [a.1000000]");
    assertThat(rows.read().members()).containsExactly(engine.self());
    assertThat(membership.status().placement()).isNotNull();
  }

  @Test
  void theIncarnationIsHigherThanThatOfTheRow() throws IOException {
    rows.compareAndSet(0, new ClusterRow(1, List.of(), Map.of("a", 5_000_000L, "b", 9L), 0));
    assertThat(start().self()).isEqualTo(new Member("a", 5_000_001));
  }

  /// So the node that starts next need not wait for those that were members.
  @Test
  void theLastNodeLeavesAnEmptyRow() throws IOException {
    FakeEngine engine = start();
    engine.show(4, engine.self());
    taken();
    membership.leave();
    runTasks();
    assertThat(taken()).containsExactly("left");
    assertThat(rows.read().members()).isEmpty();
  }

  @Test
  void membersThatSpeakAnotherVersionAreNotJoined() throws IOException {
    int later = Frame.VERSION + 1;
    rows.compareAndSet(0, new ClusterRow(1, List.of(B), Map.of(), 0, Set.of(), later));
    assertThatThrownBy(membership::start)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("[b.1] speak version 3 of frames, this program version 2");
    rows.compareAndSet(1, new ClusterRow(2, List.of(), Map.of(), 0, Set.of(), later));
    FakeEngine engine = start();
    engine.show(4, engine.self());
    assertThat(rows.read().frames()).isEqualTo(Frame.VERSION);
  }

  @Test
  void aMemberRenewsTheRowWhileItSeesAll() throws IOException {
    FakeEngine engine = start();
    engine.show(4, engine.self());
    long before = rows.read().renewals();
    pass(Duration.ofSeconds(5));
    assertThat(rows.read().renewals()).isGreaterThan(before + 2);
  }

  @Test
  void ofTwoNodesTheRestWaitsForItsPatience() throws IOException {
    FakeEngine engine = start();
    engine.show(4, engine.self());
    engine.show(5, engine.self(), B);
    taken();
    engine.show(6, engine.self());
    assertThat(taken()).containsExactly("suspended true");
    pass(PATIENCE.minus(Membership.TICK));
    assertThat(taken()).isEmpty();
    pass(Membership.TICK.multipliedBy(2));
    assertThat(taken()).containsExactly("suspended false", "installed 3/6 [a.1000000]");
  }

  @Test
  void withoutTheDatabaseNothingIsDecidedAndPatienceBeginsAgain() throws IOException {
    FakeEngine engine = start();
    engine.show(4, engine.self());
    engine.show(5, engine.self(), B);
    engine.show(6, engine.self());
    taken();
    rows.setAvailable(false);
    pass(PATIENCE.multipliedBy(3));
    rows.setAvailable(true);
    pass(PATIENCE.minus(Membership.TICK.multipliedBy(2)));
    assertThat(taken()).isEmpty();
    pass(Membership.TICK.multipliedBy(3));
    assertThat(taken()).contains("installed 3/6 [a.1000000]");
  }

  @Test
  void anEvictedProcessBeginsAgainAsAHigherIncarnation() throws IOException {
    FakeEngine engine = start();
    engine.show(4, engine.self());
    taken();
    rows.compareAndSet(1, new ClusterRow(2, List.of(B), Map.of("a", 1_000_000L, "b", 1L), 0));
    pass(Duration.ofSeconds(2));
    assertThat(taken()).containsExactly("evicted");
    assertThat(engine.closed).isTrue();
    FakeEngine again = engines.getLast();
    assertThat(again.self().incarnation()).isGreaterThan(1_000_000);
    assertThat(membership.self()).isEqualTo(again.self());
    engine.show(9, engine.self());
    engine.deliver(FrameCodec.write(status(B)));
    assertThat(taken()).as("what the old engine says").isEmpty();
    again.show(2, B, again.self());
    assertThat(taken()).isEmpty(); // the oldest member proposes
    rows.compareAndSet(2, new ClusterRow(3, List.of(B, again.self()), Map.of(), 0));
    pass(Duration.ofSeconds(1));
    assertThat(taken()).containsExactly("installed 3/2 [b.1, " + again.self() + "]");
  }

  /// It may be fenced before it knows that it is evicted; then its store refuses everything.
  @Test
  void anEvictedProcessBeginsAgainAlsoIfItCannotForgetEverything() throws IOException {
    FakeEngine engine = start();
    engine.show(4, engine.self());
    taken();
    forgetting = new StoreException(StoreException.Category.CLOSED, "fenced", null);
    rows.compareAndSet(1, new ClusterRow(2, List.of(B), Map.of("a", 1_000_000L, "b", 1L), 0));
    pass(Duration.ofSeconds(2));
    assertThat(taken()).containsExactly("evicted");
    assertThat(engine.closed).isTrue();
    assertThat(engines.getLast().self().incarnation()).isGreaterThan(1_000_000);
  }

  @Test
  void anEngineThatCannotStartIsTriedAgain() throws IOException {
    FakeEngine engine = start();
    engine.show(4, engine.self());
    rows.compareAndSet(1, new ClusterRow(2, List.of(B), Map.of("a", 1_000_000L), 0));
    failing = true;
    pass(Duration.ofSeconds(4));
    int tried = engines.size();
    assertThat(tried).isBetween(3, 6);
    failing = false;
    pass(Duration.ofSeconds(2));
    assertThat(engines).hasSize(tried + 1);
    assertThat(engines.stream().filter(each -> !each.closed)).containsExactly(engines.getLast());
  }

  @Test
  void aNodeThatLeavesSaysSoOnce() throws IOException {
    FakeEngine engine = start();
    engine.show(4, engine.self());
    engine.show(5, engine.self(), B);
    taken();
    membership.leave();
    runTasks();
    pass(Duration.ofSeconds(2));
    assertThat(taken()).containsExactly("left");
    assertThat(rows.read().members()).containsExactly(B);
    assertThat(engine.closed).isTrue();
    assertThat(engines).hasSize(1);
  }

  @Test
  void aNodeThatDrainsHasNoHomesAlsoAsAnotherIncarnation() throws IOException {
    FakeEngine engine = start();
    engine.show(4, engine.self());
    engine.show(5, engine.self(), B);
    membership.drain(true);
    runTasks();
    assertThat(isDraining(engine.self())).isTrue();
    rows.compareAndSet(3, new ClusterRow(4, List.of(B), Map.of("a", 1_000_000L), 0));
    pass(Duration.ofSeconds(2));
    FakeEngine again = engines.getLast();
    rows.compareAndSet(4, new ClusterRow(5, List.of(B, again.self()), Map.of(), 0));
    again.show(2, B, again.self());
    pass(Duration.ofSeconds(1));
    assertThat(isDraining(again.self())).isTrue();
    membership.drain(false);
    runTasks();
    assertThat(isDraining(again.self())).isFalse();
  }

  private boolean isDraining(Member member) {
    Placement placement = membership.status().placement();
    return placement != null && placement.isDraining(member);
  }

  /// Others have a newer placement: this node does not wait for its next look at the row.
  @Test
  void aFrameOfALaterEpochMakesTheNodeReadTheRow() throws IOException {
    FakeEngine engine = start();
    engine.show(4, engine.self());
    engine.show(5, engine.self(), B);
    rows.compareAndSet(2, new ClusterRow(3, List.of(engine.self(), B), Map.of(), 0, Set.of(B), 1));
    taken();
    Stamp later = new Stamp(3, 5);
    engine.deliver(FrameCodec.write(new Frame.Status(Frame.VERSION, later, B, 1, 2, false)));
    runTasks();
    assertThat(taken()).containsExactly("received b.1", "installed 3/5 [a.1000000, b.1]");
  }

  @Test
  void framesGoBothWaysAndForgedOnesAreRefused() throws IOException {
    FakeEngine engine = start();
    engine.deliver(new byte[] {9});
    engine.deliver(FrameCodec.write(status(B)));
    membership.send(B, List.of(status(engine.self())), false);
    assertThat(taken())
        .containsExactly(
            "received b.1", "send b.1 " + FrameCodec.write(status(engine.self())).length);
  }

  private static Frame status(Member from) {
    return new Frame.Status(Frame.VERSION, new Stamp(1, 4), from, 1, 2, false);
  }
}
