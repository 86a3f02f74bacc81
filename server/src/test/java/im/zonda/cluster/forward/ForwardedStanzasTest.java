package im.zonda.cluster.forward;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.cluster.frame.NodeValue;
import im.zonda.cluster.frame.RoutedStanza;
import im.zonda.cluster.frame.StanzaBytes;
import im.zonda.cluster.frame.StanzaSource;
import im.zonda.jid.Jid;
import org.junit.jupiter.api.Test;

class ForwardedStanzasTest {
  private static final Jid ROMEO = Jid.of("romeo@example.org/orchard");

  private static final NodeOrigin.Cause CAUSE = new NodeOrigin.Cause(1, 0, 0, true);

  private final ForwardedStanzas forwarded = new ForwardedStanzas();

  /// Whether the homes of senders are on this node.
  private boolean here = true;

  private ForwardedStanzas.Entry add(long age) {
    return add(age, im.zonda.module.Origin.NONE);
  }

  private ForwardedStanzas.Entry add(long age, im.zonda.module.Origin origin) {
    RoutedStanza stanza =
        new RoutedStanza(new StanzaSource("a", 1), true, new StanzaBytes(new byte[0]));
    return forwarded.add(
        "juliet@example.org",
        origin,
        100,
        entry -> new NodeValue.Route(entry, "juliet@example.org", stanza, 1, age));
  }

  private long age(ForwardedStanzas.Entry entry, long now) {
    return ((NodeValue.Route) forwarded.value(entry, now, _ -> here)).age();
  }

  @Test
  void onlyWhatAMemberThatIsLostMayHaveHandledHasAnAge() {
    ForwardedStanzas.Entry before = add(0);
    assertThat(age(before, 150)).isZero();
    forwarded.memberLost(120);
    assertThat(age(before, 150)).isEqualTo(50);
    assertThat(age(add(0), 150)).isZero();
  }

  /// The next home of its sender has it sent again if this node does not say soon that it has been
  /// handled.
  @Test
  void whatASenderThatHasLeftMayHaveSentAgainHasAnAge() {
    ForwardedStanzas.Entry sent = add(0, new NodeOrigin(ROMEO, 1, CAUSE, () -> {}));
    here = false;
    assertThat(age(sent, 150)).isZero();
    forwarded.memberLost(120);
    ForwardedStanzas.Entry later = add(0, new NodeOrigin(ROMEO, 2, CAUSE, () -> {}));
    assertThat(age(later, 150)).isEqualTo(50);
    assertThat(age(later, 60_120)).isZero();
    here = true;
    assertThat(age(later, 150)).isZero();
  }

  @Test
  void aHopIsMeasuredWhenItIsConfirmed() {
    long id = add(0).id();
    add(0);
    assertThat(forwarded.hops().count()).isZero();
    forwarded.handled(id);
    forwarded.handled(id);
    assertThat(forwarded.hops().count()).isEqualTo(1);
  }

  @Test
  void whatASessionSendsThatWasMadeAgainGetsOlder() {
    assertThat(age(add(1_000), 150)).isEqualTo(1_050);
  }
}
