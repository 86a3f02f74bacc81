package im.zonda.cluster.replica;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.cluster.Member;
import im.zonda.cluster.frame.NodeValue;
import im.zonda.cluster.frame.StanzaBytes;
import im.zonda.cluster.placement.Owners;
import im.zonda.cluster.placement.Placement;
import im.zonda.cluster.placement.Topology;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The bounds of copies, and what is sent to a standby.
class ReplicatorTest {
  private static final Member SELF = new Member("a", 1);
  private static final Member FIRST = new Member("b", 1);
  private static final Member SECOND = new Member("c", 1);
  private static final String HOME = "romeo@example.org";
  private static final int SEGMENT = Placement.segmentOf(HOME, 2);
  private static final int MOST = 3_000_000;
  private static final int MOST_OF_ONE = 600_000;

  private final List<NodeValue> sent = new ArrayList<>();
  private final List<Integer> mirrored = new ArrayList<>();
  private final Replicator copies =
      new Replicator(
          new Replicator.Output() {
            @Override
            public void send(Member to, NodeValue value) {
              receivers.add(to);
              sent.add(value);
            }

            @Override
            public void mirrored(int segment) {
              mirrored.add(segment);
            }
          },
          MOST,
          MOST_OF_ONE);
  private final List<Member> receivers = new ArrayList<>();
  private Placement placement = placement(1, FIRST);

  private static Placement placement(long number, @Nullable Member standby) {
    List<Member> members = standby == null ? List.of(SELF) : List.of(SELF, FIRST, SECOND);
    return new Placement(
        1,
        new Topology(
            number, members, List.of(new Owners(SELF, standby), new Owners(SELF, standby))));
  }

  @BeforeEach
  void open() {
    copies.open(SEGMENT, placement, Map.of());
    copies.send();
    confirm(0, true);
    sent.clear();
  }

  private void change(String key, int size) {
    change(key, size, null);
  }

  private void change(String key, int size, @Nullable ReplicaListener listener) {
    StanzaBytes state = size < 0 ? null : new StanzaBytes(new byte[size]);
    copies.change(HOME, Collections.singletonMap(key, state), listener);
    copies.takeChanges(2);
  }

  private void confirm(long version, boolean complete) {
    copies.confirmed(
        Objects.requireNonNull(placement.standby(SEGMENT)),
        new NodeValue.Copied(SEGMENT, placement(1, FIRST).stamp(), version, complete));
    copies.send();
  }

  private void install(long number, @Nullable Member standby) {
    placement = placement(number, standby);
    sent.clear();
    receivers.clear();
    copies.install(placement, Set.of());
    copies.send();
  }

  private List<String> keys() {
    return sent.stream()
        .filter(NodeValue.Copy.class::isInstance)
        .map(value -> ((NodeValue.Copy) value).key())
        .toList();
  }

  @Test
  void aWindowBoundsWhatIsOnItsWay() {
    for (int i = 0; i < 5; i++) {
      change("k" + i, 500_000);
    }
    assertThat(keys()).containsExactly("k0", "k1", "k2");
    change("k3", 10);
    confirm(1, true);
    assertThat(keys()).as("the latest of k3 only, behind k4").startsWith("k0", "k1", "k2", "k4");
    confirm(5, true);
    assertThat(keys()).containsExactly("k0", "k1", "k2", "k4", "k3");
    assertThat(copies.status()).isEqualTo(new CopyStatus(5, false));
    confirm(6, true);
    assertThat(copies.status()).isEqualTo(new CopyStatus(5, true));
  }

  @Test
  void aPartWithoutRoomIsNotCopiedAndOthersStay() {
    for (int i = 0; i < 8; i++) {
      change("k" + i, 500_000);
      confirm(i + 1, true);
    }
    assertThat(keys()).containsExactly("k0", "k1", "k2", "k3", "k4");
    change("k0", -1);
    confirm(6, true);
    change("k9", 500_000);
    assertThat(keys()).endsWith("k0", "k9");
  }

  @Test
  void aPartThatHasGrownTooLargeIsRemoved() {
    change("k", 10);
    change("k", MOST_OF_ONE + 1);
    assertThat(sent.getLast())
        .isEqualTo(new NodeValue.Copy(SEGMENT, placement.stamp(), 2, HOME, "k", null));
    confirm(2, true);
    assertThat(copies.status()).isEqualTo(new CopyStatus(0, true));
  }

  @Test
  void whatHasNotChangedIsNotSent() {
    change("k", 10);
    change("k", 10);
    change("other", -1);
    assertThat(keys()).containsExactly("k");
  }

  @Test
  void anotherStandbyGetsEverything() {
    change("k0", 10);
    change("k1", 10);
    change("k0", -1);
    confirm(3, true);
    mirrored.clear();
    install(2, SECOND);
    assertThat(receivers).containsOnly(SECOND);
    assertThat(sent)
        .containsExactly(
            new NodeValue.Copies(SEGMENT, placement(1, FIRST).stamp(), 0, false),
            new NodeValue.Copy(
                SEGMENT, placement(1, FIRST).stamp(), 2, HOME, "k1", new StanzaBytes(new byte[10])),
            new NodeValue.Copies(SEGMENT, placement(1, FIRST).stamp(), 3, true));
    assertThat(mirrored).isEmpty();
    confirm(3, true);
    assertThat(mirrored).containsExactly(SEGMENT);
  }

  /// The former standby has the part until the next one has everything, and that may be lost
  /// before.
  @Test
  void thatAPartIsGoneIsSentUntilAStandbyHasEverything() {
    change("k", 10);
    change("other", 10);
    confirm(2, true);
    install(2, SECOND);
    change("k", -1);
    confirm(3, false);
    install(3, FIRST);
    NodeValue gone = new NodeValue.Copy(SEGMENT, placement(1, FIRST).stamp(), 3, HOME, "k", null);
    assertThat(sent).contains(gone);
    confirm(3, true);
    install(4, SECOND);
    assertThat(sent).doesNotContain(gone);
  }

  @Test
  void theSameStandbyGetsWhatItHasNotConfirmed() {
    change("k0", 10);
    confirm(1, true);
    change("k1", 10);
    install(2, FIRST);
    assertThat(keys()).containsExactly("k1");
  }

  // ---- who waits for a confirmation

  private final List<String> heard = new ArrayList<>();

  private ReplicaListener hears(String what) {
    return kept -> heard.add(what + (kept ? " is kept" : " is not kept"));
  }

  @Test
  void aListenerHearsWhenTheStandbyHasThePart() {
    change("k0", 10, hears("k0"));
    change("k1", 10, hears("k1"));
    assertThat(heard).isEmpty();
    confirm(1, true);
    assertThat(heard).containsExactly("k0 is kept");
    confirm(2, true);
    assertThat(heard).containsExactly("k0 is kept", "k1 is kept");
  }

  @Test
  void aListenerOfWhatIsThereAlreadyHearsAtOnce() {
    change("k", 10);
    confirm(1, true);
    change("k", 10, hears("k"));
    assertThat(heard).containsExactly("k is kept");
  }

  @Test
  void aPartThatWasReplacedBeforeItWasSentIsHeardOfWithTheNext() {
    for (int i = 0; i < 3; i++) {
      change("large" + i, 500_000);
    }
    change("k", 10, hears("k"));
    change("other", 10, hears("other"));
    change("k", 20);
    confirm(3, true);
    assertThat(keys()).endsWith("other", "k");
    assertThat(heard).isEmpty();
    confirm(5, true);
    assertThat(heard).as("the standby has no k").doesNotContain("k is kept");
    confirm(6, true);
    assertThat(heard).containsExactlyInAnyOrder("k is kept", "other is kept");
  }

  @Test
  void aPartWithoutRoomIsHeardOfWhenItsOlderCopyIsGone() {
    change("k", 10);
    confirm(1, true);
    change("k", MOST_OF_ONE + 1, hears("k"));
    assertThat(heard).isEmpty();
    confirm(2, true);
    assertThat(heard).containsExactly("k is not kept");
  }

  @Test
  void listenersWaitForTheStandbyOfTheNextPlacement() {
    change("k0", 10);
    change("k1", 10, hears("k1"));
    change("k1", 20);
    install(2, SECOND);
    assertThat(heard).isEmpty();
    confirm(1, false);
    assertThat(heard).isEmpty();
    confirm(3, true);
    assertThat(heard).containsExactly("k1 is kept");
  }

  /// Until then a former home's state counts if this node is lost, and a client that has been told
  /// more would find an older session.
  @Test
  void aListenerWaitsUntilTheStandbyHasEverything() {
    install(2, SECOND);
    change("k", 10, hears("k"));
    confirm(1, false);
    assertThat(heard).isEmpty();
    confirm(1, true);
    assertThat(heard).containsExactly("k is kept");
  }

  @Test
  void whatWasOnItsWayAndHasChangedSinceIsSentAgain() {
    change("k", 10, hears("k"));
    change("k", 20);
    install(2, FIRST);
    assertThat(heard).isEmpty();
    confirm(2, true);
    assertThat(heard).containsExactly("k is kept");
  }

  @Test
  void withoutAStandbyNobodyWaits() {
    change("k0", 10, hears("k0"));
    install(2, null);
    change("k1", 10, hears("k1"));
    assertThat(heard).containsExactly("k0 is not kept", "k1 is not kept");
  }
}
