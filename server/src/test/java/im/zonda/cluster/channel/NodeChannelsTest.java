package im.zonda.cluster.channel;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.cluster.Member;
import im.zonda.cluster.frame.Frame;
import im.zonda.cluster.frame.NodeValue;
import im.zonda.cluster.frame.StanzaBytes;
import im.zonda.cluster.placement.Owners;
import im.zonda.cluster.placement.Placement;
import im.zonda.cluster.placement.Topology;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class NodeChannelsTest {
  private static final Member A = new Member("a", 1);
  private static final Member B = new Member("b", 2);
  private static final NodeValue FIRST = new NodeValue.Stored(1);
  private static final NodeValue SECOND = new NodeValue.Stored(2);
  private static final NodeValue THIRD = new NodeValue.Stored(3);

  private final List<Frame> fromA = new ArrayList<>();
  private final List<Frame> fromB = new ArrayList<>();
  private final NodeChannels a = new NodeChannels(A, (_, frame) -> fromA.add(frame));
  private final NodeChannels b = new NodeChannels(B, (_, frame) -> fromB.add(frame));

  private static Placement placement(long epoch, List<Member> members) {
    List<Owners> owners = Collections.nCopies(2, new Owners(members.getFirst(), null));
    return new Placement(epoch, new Topology(1, members, owners));
  }

  private void installAtBoth(long epoch) {
    a.install(placement(epoch, List.of(A, B)));
    b.install(placement(epoch, List.of(A, B)));
  }

  private static List<NodeValue> receive(NodeChannels at, List<Frame> frames) {
    List<NodeValue> values = new ArrayList<>();
    List.copyOf(frames).forEach(frame -> values.addAll(at.receive(frame)));
    frames.clear();
    return values;
  }

  @Test
  void aValueThatWasLostIsSentAgainInItsPlace() {
    installAtBoth(1);
    a.send(B, FIRST);
    a.send(B, SECOND);
    a.send(B, THIRD);
    fromA.remove(1);
    assertThat(receive(b, fromA)).containsExactly(FIRST);
    assertThat(receive(a, fromB)).isEmpty();
    assertThat(receive(b, fromA)).containsExactly(SECOND, THIRD);
  }

  @Test
  void aValueThatWasLostLastIsNoticedByTheTick() {
    installAtBoth(1);
    a.send(B, FIRST);
    fromA.clear();
    a.tick();
    assertThat(receive(b, fromA)).isEmpty();
    receive(a, fromB);
    assertThat(receive(b, fromA)).containsExactly(FIRST);
    b.tick();
    receive(a, fromB);
    assertThat(a.unreceived(B)).isEmpty();
    a.tick();
    assertThat(fromA).as("nothing more to say").isEmpty();
  }

  @Test
  void aValueThatCannotBeReadCountsAndIsReleased() {
    installAtBoth(1);
    a.send(B, FIRST);
    a.send(B, SECOND);
    Frame first = fromA.removeFirst();
    byte[] fields = {7, -1};
    assertThat(
            b.receive(
                new Frame.Unread(
                    Frame.VERSION, first.stamp(), A, 0, 1, 1, new StanzaBytes(fields))))
        .isEmpty();
    assertThat(receive(b, fromA)).containsExactly(SECOND);
    assertThat(receive(a, fromB)).containsExactly(new NodeValue.Stored(7));
    b.tick();
    receive(a, fromB);
    assertThat(a.unreceived(B)).isEmpty();
  }

  @Test
  void largeValuesAreUnderWayOneAfterTheOther() {
    installAtBoth(1);
    List<NodeValue> values = new ArrayList<>();
    for (int i = 1; i <= 20; i++) {
      int bytes = i == 10 ? 2 * NodeChannel.WINDOW_BYTES : NodeChannel.WINDOW_BYTES / 4;
      values.add(new NodeValue.FromSession(1, i, new StanzaBytes(new byte[bytes])));
    }
    values.forEach(value -> a.send(B, value));
    assertThat(fromA).hasSize(4);
    List<NodeValue> received = new ArrayList<>();
    while (!fromA.isEmpty()) {
      assertThat(fromA.size()).isLessThanOrEqualTo(4);
      received.addAll(receive(b, fromA));
      receive(a, fromB); // without a tick
    }
    assertThat(received).isEqualTo(values);
  }

  @Test
  void whatIsMoreThanTheWindowFollowsAsTheOtherNodeReceives() {
    installAtBoth(1);
    List<NodeValue> values = numbered(2 * NodeChannel.WINDOW + 1);
    values.forEach(value -> a.send(B, value));
    assertThat(fromA).hasSize(NodeChannel.WINDOW);
    assertThat(a.unreceived(B)).isEqualTo(values);
    List<NodeValue> received = new ArrayList<>();
    while (!fromA.isEmpty()) {
      received.addAll(receive(b, fromA));
      receive(a, fromB); // without a tick
    }
    assertThat(received).isEqualTo(values);
  }

  @Test
  void whatIsLostOfAFullWindowIsSentAgainAndNothingTwiceThen() {
    installAtBoth(1);
    List<NodeValue> values = numbered(NodeChannel.WINDOW + 7);
    values.forEach(value -> a.send(B, value));
    fromA.removeFirst();
    assertThat(receive(b, fromA)).isEmpty();
    receive(a, fromB);
    assertThat(fromA).hasSize(NodeChannel.WINDOW);
    List<NodeValue> received = new ArrayList<>(receive(b, fromA));
    receive(a, fromB);
    assertThat(fromA).hasSize(7);
    received.addAll(receive(b, fromA));
    assertThat(received).isEqualTo(values);
  }

  @Test
  void aCountThatWasLostDoesNotStopAFullWindow() {
    installAtBoth(1);
    List<NodeValue> values = numbered(NodeChannel.WINDOW + 1);
    values.forEach(value -> a.send(B, value));
    assertThat(receive(b, fromA)).hasSize(NodeChannel.WINDOW);
    fromB.clear();
    List<NodeValue> received = List.of();
    for (int ticks = 0; received.isEmpty(); ticks++) {
      assertThat(ticks).isLessThan(20);
      a.tick();
      b.tick();
      received = receive(b, fromA);
      receive(a, fromB);
    }
    assertThat(received).containsExactly(values.getLast());
  }

  @Test
  void whatWasLostIsAskedForOnceAndAfterAWhileOnceMore() {
    installAtBoth(1);
    a.send(B, FIRST);
    fromA.clear();
    a.tick();
    a.tick();
    receive(b, fromA);
    assertThat(fromB).as("one question for two counts").hasSize(1);
    fromB.clear();
    for (int ticks = 1; fromB.isEmpty(); ticks++) {
      assertThat(ticks).isLessThan(20);
      b.tick();
      a.tick();
      receive(b, fromA);
    }
    receive(a, fromB);
    assertThat(receive(b, fromA)).containsExactly(FIRST);
  }

  private static List<NodeValue> numbered(int count) {
    return LongStream.rangeClosed(1, count).<NodeValue>mapToObj(NodeValue.Stored::new).toList();
  }

  @Test
  void aMemberHasAllButTheLastValuesWhenItsCountOfThisPlacementSaysSo() {
    installAtBoth(1);
    a.send(B, FIRST);
    assertThat(a.hasAllBut(B, 1)).as("frames of an earlier placement may be under way").isFalse();
    receive(b, fromA);
    b.tick();
    receive(a, fromB);
    a.send(B, SECOND);
    assertThat(a.hasAllBut(B, 1)).isTrue();
    a.send(B, THIRD);
    assertThat(a.hasAllBut(B, 1)).isFalse();
    assertThat(a.hasAllBut(B, 2)).isTrue();
    assertThat(a.hasAllBut(A, 1)).as("no member but itself").isFalse();
  }

  @Test
  void aValueThatComesTwiceIsHandledOnce() {
    installAtBoth(1);
    a.send(B, FIRST);
    fromA.addAll(List.copyOf(fromA));
    assertThat(receive(b, fromA)).containsExactly(FIRST);
  }

  @Test
  void whatIsEarlyWaitsForItsPlacement() {
    installAtBoth(1);
    a.install(placement(2, List.of(A, B)));
    a.send(B, FIRST);
    assertThat(receive(b, fromA)).isEmpty();
    List<Frame> due = b.install(placement(2, List.of(A, B)));
    assertThat(receive(b, new ArrayList<>(due))).containsExactly(FIRST);
  }

  @Test
  void whatIsEarlyBeyondTheBoundIsSentAgain() {
    installAtBoth(1);
    a.install(placement(2, List.of(A, B)));
    for (int i = 0; i <= NodeChannels.MAX_EARLY; i++) {
      a.send(B, FIRST);
    }
    receive(b, fromA);
    List<Frame> due = b.install(placement(2, List.of(A, B)));
    assertThat(receive(b, new ArrayList<>(due))).hasSize(NodeChannels.MAX_EARLY);
    a.tick();
    receive(b, fromA);
    receive(a, fromB);
    assertThat(receive(b, fromA)).containsExactly(FIRST);
  }

  @Test
  void whatIsOutdatedIsDiscarded() {
    installAtBoth(1);
    a.send(B, FIRST);
    installAtBoth(2);
    assertThat(receive(b, fromA)).isEmpty();
  }

  @Test
  void aProcessThatIsNoMemberIsNotHeard() {
    installAtBoth(1);
    a.send(B, FIRST);
    b.install(placement(1, List.of(new Member("a", 9), B)));
    assertThat(receive(b, fromA)).isEmpty();
  }

  @Test
  void aFrameOfAnotherFormIsDiscarded() {
    installAtBoth(1);
    a.send(B, FIRST);
    Frame.Data frame = (Frame.Data) fromA.removeFirst();
    fromA.add(
        new Frame.Data(
            Frame.VERSION + 1, frame.stamp(), frame.from(), 0, frame.number(), frame.value()));
    assertThat(receive(b, fromA)).isEmpty();
  }
}
