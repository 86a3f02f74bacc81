package im.zonda.home.session;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.limits.Limits;
import im.zonda.home.lifecycle.RecordingStream;
import im.zonda.home.lifecycle.TestClock;
import im.zonda.home.lifecycle.TestRecords;
import im.zonda.home.lifecycle.TestStanzas;
import im.zonda.home.session.Outgoing.Fate;
import im.zonda.jid.Jid;
import im.zonda.stanza.Namespaces;
import im.zonda.stanza.Stanza;
import im.zonda.xml.framing.XmlParser;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Bounds of what a client has not acknowledged, and the form in which it is kept.
final class OutgoingBoundsTest {
  private final TestClock clock = new TestClock();
  private final Budget<LocalSession> budget =
      new Budget<>(limits(100, 65_536, 1 << 20), Long.MAX_VALUE, clock);
  private final LoneSession session =
      new LoneSession(Jid.of("juliet@example.org/balcony"), new RecordingStream(), budget, clock);
  private final Outgoing outgoing = session.outgoing();

  static Limits limits(int stanzas, int bytes, long total) {
    Limits limits = Limits.defaults();
    limits = TestRecords.with(limits, "unacknowledgedStanzas", stanzas);
    limits = TestRecords.with(limits, "unacknowledgedBytes", bytes);
    return TestRecords.with(limits, "allUnacknowledgedBytes", total);
  }

  @BeforeEach
  void manage() {
    assertThat(session.bound()).isEqualTo(Fate.TAKEN);
    assertThat(outgoing.manage()).isTrue();
  }

  private Fate send(Stanza stanza) {
    return outgoing.send(stanza, null);
  }

  @Test
  void anErrorForWhatIsNoStanzaIsKeptAsItWas() throws Exception {
    String error = "<iq to='a@b/c' from='@&lt;/' type='error'><error/></iq>";
    Stanza stanza = Stanza.reread(XmlParser.frame(error, Namespaces.CLIENT));
    session.detach();
    assertThat(send(stanza)).isEqualTo(Fate.TAKEN);
    Stanza kept = outgoing.waiting().getFirst().stanza();
    assertThat(kept).as("as bytes").isNotSameAs(stanza);
    assertThat(kept.toElement()).isEqualTo(stanza.toElement());
  }

  @Test
  void theStanzasOfOneSessionAreBounded() {
    for (int i = 0; i < 100; i++) {
      assertThat(send(TestStanzas.message("m"))).isEqualTo(Fate.TAKEN);
    }
    assertThat(send(TestStanzas.message("more"))).isEqualTo(Fate.NO_ROOM);
    assertThat(outgoing.unacknowledged()).isEqualTo(100);
    outgoing.acknowledged(1);
    assertThat(send(TestStanzas.message("more"))).isEqualTo(Fate.TAKEN);
  }

  @Test
  void theBytesOfOneSessionAreBoundedButOneStanzaAlwaysFits() {
    Stanza huge = TestStanzas.message("x".repeat(70_000));
    assertThat(send(huge)).isEqualTo(Fate.TAKEN);
    assertThat(send(huge)).isEqualTo(Fate.NO_ROOM);
    assertThat(send(TestStanzas.message("small"))).as("beside it").isEqualTo(Fate.TAKEN);
    outgoing.acknowledged(2);
    assertThat(outgoing.bytes()).isZero();
    assertThat(send(TestStanzas.message("small"))).isEqualTo(Fate.TAKEN);
    assertThat(send(huge)).as("behind a small one").isEqualTo(Fate.TAKEN);
    assertThat(send(huge)).isEqualTo(Fate.NO_ROOM);
  }
}
