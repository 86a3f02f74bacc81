package im.zonda.cluster.infinispan;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import im.zonda.cluster.Member;
import im.zonda.cluster.frame.Frame;
import im.zonda.cluster.frame.FrameCodec;
import im.zonda.cluster.frame.NodeValue;
import im.zonda.cluster.placement.Placement;
import im.zonda.storage.memory.MemoryClusterRows;
import im.zonda.testkit.database.FreePorts;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.jgroups.protocols.DISCARD;
import org.jgroups.protocols.TP;
import org.jgroups.stack.ProtocolStack;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/// Nodes in one process over sockets of loopback addresses, with one row in memory. The time is
/// real, because that of the engine is; all times are short, and tests wait for events.
class ClusterTest {
  private final MemoryClusterRows rows = new MemoryClusterRows();
  private final List<TestNode> nodes = new ArrayList<>();

  private List<TestNode> start(int count) throws Exception {
    int port = FreePorts.next(count);
    for (int i = 1; i <= count; i++) {
      EngineSettings settings = TestEngine.settings(i, count, port, null);
      nodes.add(new TestNode("n" + i, settings, rows));
      nodes.getLast().start();
    }
    Set<Member> all = members(nodes);
    for (TestNode node : nodes) {
      node.awaitPlacement(placement -> isComplete(placement, all));
    }
    return nodes;
  }

  private static Set<Member> members(List<TestNode> nodes) {
    Set<Member> members = new HashSet<>();
    nodes.forEach(node -> members.add(node.self()));
    return members;
  }

  /// These are the members, and each of them is home of some segments.
  private static boolean isComplete(Placement placement, Set<Member> members) {
    Set<Member> homes = new HashSet<>();
    for (int segment = 0; segment < placement.segments(); segment++) {
      homes.add(placement.home(segment));
    }
    return Set.copyOf(placement.members()).equals(members) && homes.equals(members);
  }

  /// The newest placement of each node, when all have that of one stamp.
  private static List<Placement> awaitEqualStamps(List<TestNode> nodes) throws Exception {
    List<Placement> last = List.of();
    while (last.stream().map(Placement::stamp).distinct().count() != 1) {
      long newest =
          nodes.stream()
              .mapToLong(node -> node.placements().getLast().stamp().topology())
              .max()
              .orElseThrow();
      last = new ArrayList<>();
      for (TestNode node : nodes) {
        last.add(node.awaitPlacement(placement -> placement.stamp().topology() >= newest));
      }
    }
    return last;
  }

  private static List<Object> table(Placement placement) {
    List<Object> table = new ArrayList<>(List.of(placement.stamp(), placement.members()));
    for (int segment = 0; segment < placement.segments(); segment++) {
      Member standby = placement.standby(segment);
      table.add(placement.home(segment) + " " + standby);
    }
    return table;
  }

  @AfterEach
  void close() {
    nodes.forEach(TestNode::close);
  }

  @Test
  void placementsBecomeEqualEverywhere() throws Exception {
    List<TestNode> all = start(3);
    List<Placement> last = awaitEqualStamps(all);
    List<List<Object>> tables = last.stream().map(ClusterTest::table).toList();
    assertThat(tables).containsOnly(tables.getFirst());
    assertThat(rows.read().members()).containsExactlyInAnyOrderElementsOf(members(all));
  }

  @Test
  void equalStampsAreEqualTables() throws Exception {
    start(3);
    for (TestNode one : nodes) {
      for (TestNode other : nodes) {
        for (Placement mine : one.placements()) {
          for (Placement theirs : other.placements()) {
            if (mine.stamp().equals(theirs.stamp())) {
              assertThat(table(mine)).isEqualTo(table(theirs));
            }
          }
        }
      }
    }
  }

  @Test
  void aMajorityGoesOnWhenAProcessDies() throws Exception {
    List<TestNode> all = start(3);
    long epoch = rows.read().epoch();
    Set<Member> survivors = members(all.subList(1, 3));
    all.getFirst().kill();
    for (TestNode survivor : all.subList(1, 3)) {
      Placement placement = survivor.awaitPlacement(p -> isComplete(p, survivors));
      assertThat(placement.stamp().epoch()).isEqualTo(epoch + 1);
    }
  }

  @Test
  void ofTwoNodesEitherGoesOnAlone() throws Exception {
    for (int dying = 0; dying < 2; dying++) {
      List<TestNode> both = start(2);
      TestNode survivor = both.get(1 - dying);
      both.get(dying).kill();
      survivor.awaitSuspension();
      survivor.awaitPlacement(p -> isComplete(p, Set.of(survivor.self())));
      close();
      nodes.clear();
    }
  }

  @Test
  void onlyOneSideOfACutGoesOnAndTheOtherComesBackAsANewIncarnation() throws Exception {
    List<TestNode> all = start(3);
    TestNode cut = all.getFirst();
    Member before = cut.self();
    long epoch = rows.read().epoch();
    cut(all);
    cut.awaitEviction();
    for (TestNode node : all) {
      node.awaitPlacement(p -> p.members().size() == 3 && !p.isMember(before));
    }
    assertThat(cut.self().incarnation()).isGreaterThan(before.incarnation());
    assertThat(cut.placements())
        .noneMatch(p -> p.stamp().epoch() > epoch && p.isMember(before))
        .noneMatch(p -> p.members().size() < 3 && p.stamp().epoch() > epoch);
    assertThat(all.get(1).placements())
        .anyMatch(p -> p.stamp().epoch() == epoch + 1 && !p.isMember(before));
  }

  /// Cuts off the first node from the others, in both directions.
  private static void cut(List<TestNode> all) throws Exception {
    for (TestNode node : all) {
      DISCARD discard = new DISCARD();
      for (TestNode other : all) {
        if (node != other && (node == all.getFirst() || other == all.getFirst())) {
          discard.addIgnoreMember(other.channel().getAddress());
        }
      }
      node.channel()
          .getProtocolStack()
          .insertProtocol(discard, ProtocolStack.Position.ABOVE, TP.class);
    }
  }

  @Test
  void framesArriveInOrder() throws Exception {
    List<TestNode> all = start(2);
    TestNode from = all.getFirst();
    TestNode to = all.getLast();
    int count = 5_000;
    for (int i = 1; i <= count; i++) {
      from.membership()
          .send(
              to.self(),
              List.of(
                  new Frame.Data(
                      Frame.VERSION,
                      from.placements().getLast().stamp(),
                      from.self(),
                      0,
                      i,
                      new NodeValue.Stored(i))),
              false);
    }
    List<Frame> frames = to.awaitFrames(count);
    assertThat(frames.stream().mapToLong(frame -> ((Frame.Data) frame).number()))
        .containsExactlyElementsOf(LongStream.rangeClosed(1, count).boxed().toList());
  }

  @Test
  void aFrameOfAnotherVersionIsRefusedAndTheNextOneArrives() throws Exception {
    List<TestNode> all = start(2);
    TestNode from = all.getFirst();
    TestNode to = all.getLast();
    Frame frame =
        new Frame.Status(
            Frame.VERSION, from.placements().getLast().stamp(), from.self(), 1, 2, false);
    byte[] later = FrameCodec.write(frame);
    later[0]++;
    Logger logger = (Logger) LoggerFactory.getLogger("im.zonda.cluster.membership.Incarnation");
    ListAppender<ILoggingEvent> events = new ListAppender<>();
    events.start();
    logger.addAppender(events);
    try {
      from.sendBytes(to.self(), later);
      from.sendBytes(to.self(), new byte[0]);
      from.membership().send(to.self(), List.of(frame), false);
      assertThat(to.awaitFrames(1)).containsExactly(frame);
      assertThat(events.list)
          .filteredOn(each -> each.getMessage().equals("cluster_frame_refused"))
          .hasSize(2);
    } finally {
      logger.detachAppender(events);
    }
  }
}
