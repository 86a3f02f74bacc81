package im.zonda.cluster.node;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.cluster.Member;
import im.zonda.cluster.channel.NodeChannels;
import im.zonda.cluster.frame.Frame;
import im.zonda.cluster.frame.NodeValue;
import im.zonda.cluster.placement.Owners;
import im.zonda.cluster.placement.Placement;
import im.zonda.cluster.placement.Stamp;
import im.zonda.cluster.placement.Topology;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutgoingFramesTest {
  private static final Member A = new Member("a", 1);
  private static final Member B = new Member("b", 1);
  private static final Member C = new Member("c", 1);
  private static final Stamp STAMP = new Stamp(1, 1);

  private final List<String> sent = new ArrayList<>();
  private final OutgoingFrames departures =
      new OutgoingFrames((to, frames, allArrived) ->
          sent.add(to.name() + " " + numbers(frames) + (allArrived ? " all arrived" : "")));
  private final NodeChannels links = new NodeChannels(A, departures::add);

  OutgoingFramesTest() {
    links.install(
        new Placement(
            1, new Topology(1, List.of(A, B, C), Collections.nCopies(2, new Owners(A, B)))));
  }

  private static List<Long> numbers(List<Frame> frames) {
    return frames.stream().map(frame -> ((Frame.Data) frame).number()).toList();
  }

  @Test
  void whatGoesToOneMemberLeavesTogetherAndOnce() {
    links.send(B, new NodeValue.Stored(1));
    links.send(C, new NodeValue.Stored(2));
    links.send(B, new NodeValue.Stored(3));
    assertThat(sent).isEmpty();
    departures.leave(links);
    departures.leave(links);
    assertThat(sent).containsExactly("b [1, 2]", "c [1]");
  }

  @Test
  void allHasArrivedIfTheMemberCountsWhatLeftBefore() {
    links.send(B, new NodeValue.Stored(1));
    departures.leave(links);
    links.receive(new Frame.Status(Frame.VERSION, STAMP, B, 1, 0, false));
    links.send(B, new NodeValue.Stored(2));
    links.send(B, new NodeValue.Stored(3));
    departures.leave(links);
    links.send(B, new NodeValue.Stored(4));
    departures.leave(links);
    assertThat(sent).containsExactly("b [1]", "b [2, 3] all arrived", "b [4]");
  }
}
