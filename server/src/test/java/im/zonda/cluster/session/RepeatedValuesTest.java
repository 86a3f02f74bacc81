package im.zonda.cluster.session;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.cluster.Member;
import im.zonda.cluster.channel.NodeChannels;
import im.zonda.cluster.frame.NodeValue;
import im.zonda.cluster.placement.Owners;
import im.zonda.cluster.placement.Placement;
import im.zonda.cluster.placement.Topology;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Values that a member has not received and gets again in the next placement.
class RepeatedValuesTest {
  private static final Member HOME = new Member("home", 1);
  private static final Member STANDBY = new Member("standby", 1);
  private static final Member OTHER = new Member("other", 1);
  private static final NodeValue.Opened OPENED = new NodeValue.Opened(0);

  private static Placement placement(long version, Member home, Member standby) {
    List<Member> members = List.of(HOME, STANDBY, OTHER);
    Owners owners = new Owners(home, standby);
    return new Placement(1, new Topology(version, members, List.of(owners, owners)));
  }

  private static List<NodeValue> repeated(Placement next) {
    NodeChannels channels = new NodeChannels(HOME, (to, frame) -> {});
    Placement before = placement(1, HOME, STANDBY);
    channels.install(before);
    channels.send(STANDBY, OPENED);
    return SessionChannels.again(channels, before, HOME, next).getOrDefault(STANDBY, List.of());
  }

  @Test
  void theReportThatTheStandbyHasEverythingIsRepeated() {
    assertThat(repeated(placement(2, HOME, STANDBY))).containsExactly(OPENED);
  }

  @Test
  void theReportOfAFormerHomeIsNot() {
    assertThat(repeated(placement(2, OTHER, STANDBY))).isEmpty();
  }

  /// Otherwise the former standby would discard the only replica.
  @Test
  void theReportIsNotRepeatedIfThereIsAnotherStandby() {
    assertThat(repeated(placement(2, HOME, OTHER))).isEmpty();
  }
}
