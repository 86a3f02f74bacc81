package im.zonda.node.stanza;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.cluster.frame.NodeValue;
import im.zonda.cluster.frame.Origin;
import im.zonda.cluster.frame.RoutedStanza;
import im.zonda.cluster.frame.StanzaBytes;
import org.junit.jupiter.api.Test;

class ForwardedStanzasTest {
  private final ForwardedStanzas forwarded = new ForwardedStanzas();

  private ForwardedStanzas.Entry add(long age) {
    RoutedStanza stanza = new RoutedStanza(new Origin("a", 1), true, new StanzaBytes(new byte[0]));
    return forwarded.add(
        "juliet@example.org",
        im.zonda.module.Origin.NONE,
        100,
        entry -> new NodeValue.Route(entry, "juliet@example.org", stanza, 1, age));
  }

  private long age(ForwardedStanzas.Entry entry, long now) {
    return ((NodeValue.Route) forwarded.value(entry, now)).age();
  }

  @Test
  void onlyWhatAMemberThatIsLostMayHaveHandledHasAnAge() {
    ForwardedStanzas.Entry before = add(0);
    assertThat(age(before, 150)).isZero();
    forwarded.memberLost();
    assertThat(age(before, 150)).isEqualTo(50);
    assertThat(age(add(0), 150)).isZero();
  }

  @Test
  void whatASessionSendsThatWasMadeAgainGetsOlder() {
    assertThat(age(add(1_000), 150)).isEqualTo(1_050);
  }
}
