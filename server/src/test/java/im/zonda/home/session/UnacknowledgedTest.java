package im.zonda.home.session;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.limits.Limits;
import im.zonda.home.lifecycle.TestRecords;
import im.zonda.home.lifecycle.TestStanzas;
import im.zonda.home.session.Unacknowledged.Answer;
import im.zonda.stanza.Namespaces;
import im.zonda.stanza.Stanza;
import im.zonda.xml.framing.XmlParser;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// XEP-0198, section 4: what the client's count says of what was sent.
final class UnacknowledgedTest {
  private static final long MODULUS = 1L << 32;

  private final Budget<LocalSession> budget =
      new Budget<>(limits(100, 65_536, 1 << 20), Long.MAX_VALUE);
  private final List<String> told = new ArrayList<>();

  static Limits limits(int stanzas, int bytes, long total) {
    Limits limits = Limits.defaults();
    limits = TestRecords.with(limits, "unacknowledgedStanzas", stanzas);
    limits = TestRecords.with(limits, "unacknowledgedBytes", bytes);
    return TestRecords.with(limits, "allUnacknowledgedBytes", total);
  }

  private Unacknowledged after(long acknowledged, int sent) {
    Unacknowledged queue = new Unacknowledged(new Share(budget), acknowledged);
    for (int i = 1; i <= sent; i++) {
      String name = "m" + i;
      assertThat(queue.add(TestStanzas.message(name), () -> told.add(name), 0)).isTrue();
    }
    return queue;
  }

  private Answer acknowledge(Unacknowledged queue, long h) {
    List<Runnable> then = new ArrayList<>();
    Answer answer = queue.acknowledged(h, then);
    then.forEach(Runnable::run);
    return answer;
  }

  @Test
  void aCountTakesAllUpToItInOrder() {
    Unacknowledged queue = after(0, 5);
    assertThat(acknowledge(queue, 3)).isEqualTo(Answer.TAKEN);
    assertThat(told).containsExactly("m1", "m2", "m3");
    assertThat(queue.waiting().stream().map(s -> TestStanzas.text(s.stanza())))
        .containsExactly("m4", "m5");
    assertThat(queue.acknowledged()).isEqualTo(3);
    assertThat(queue.sent()).isEqualTo(5);
  }

  @Test
  void anErrorForWhatIsNoStanzaIsKeptAsItWas() throws Exception {
    String error = "<iq to='a@b/c' from='@&lt;/' type='error'><error/></iq>";
    Stanza stanza = Stanza.reread(XmlParser.frame(error, Namespaces.CLIENT));
    Unacknowledged queue = new Unacknowledged(new Share(budget), 0);
    queue.add(stanza, null, 0);
    queue.packLast();
    assertThat(queue.waiting().getFirst().stanza().toElement()).isEqualTo(stanza.toElement());
  }

  @Test
  void theSameCountAgainSaysNothingNew() {
    Unacknowledged queue = after(0, 5);
    acknowledge(queue, 3);
    assertThat(acknowledge(queue, 3)).isEqualTo(Answer.TAKEN);
    assertThat(told).hasSize(3);
  }

  @Test
  void aCountFromThePastIsOldAndChangesNothing() {
    Unacknowledged queue = after(0, 5);
    acknowledge(queue, 3);
    assertThat(acknowledge(queue, 2)).isEqualTo(Answer.OLD);
    assertThat(acknowledge(queue, 0)).isEqualTo(Answer.OLD);
    assertThat(queue.size()).isEqualTo(2);
  }

  @Test
  void moreThanWasSentIsTooHighAndChangesNothing() {
    Unacknowledged queue = after(0, 5);
    assertThat(acknowledge(queue, 6)).isEqualTo(Answer.TOO_HIGH);
    assertThat(told).isEmpty();
    assertThat(queue.size()).isEqualTo(5);
  }

  @ParameterizedTest
  @ValueSource(longs = {MODULUS - 3, 5 * MODULUS - 3})
  void theCountWrapsAtTwoToThePowerOf32(long before) {
    Unacknowledged queue = after(before, 6);
    assertThat(acknowledge(queue, MODULUS - 1)).isEqualTo(Answer.TAKEN);
    assertThat(told).containsExactly("m1", "m2");
    assertThat(acknowledge(queue, 0)).isEqualTo(Answer.TAKEN);
    assertThat(told).containsExactly("m1", "m2", "m3");
    assertThat(acknowledge(queue, 4)).isEqualTo(Answer.TOO_HIGH);
    assertThat(acknowledge(queue, MODULUS - 2)).isEqualTo(Answer.OLD);
    assertThat(acknowledge(queue, 3)).isEqualTo(Answer.TAKEN);
    assertThat(told).hasSize(6);
    assertThat(queue.acknowledged()).isEqualTo(before + 6);
  }

  @Test
  void theStanzasOfOneSessionAreBounded() {
    Unacknowledged queue = after(0, 100);
    assertThat(queue.add(TestStanzas.message("more"), null, 0)).isFalse();
    assertThat(queue.size()).isEqualTo(100);
    acknowledge(queue, 1);
    assertThat(queue.add(TestStanzas.message("more"), null, 0)).isTrue();
  }

  @Test
  void theBytesOfOneSessionAreBoundedButOneStanzaAlwaysFits() {
    Unacknowledged queue = new Unacknowledged(new Share(budget), 0);
    Stanza huge = TestStanzas.message("x".repeat(70_000));
    assertThat(queue.add(huge, null, 0)).isTrue();
    assertThat(queue.add(huge, null, 0)).isFalse();
    assertThat(queue.add(TestStanzas.message("small"), null, 0)).as("beside it").isTrue();
    acknowledge(queue, 2);
    assertThat(queue.add(TestStanzas.message("small"), null, 0)).isTrue();
    assertThat(queue.add(huge, null, 0)).as("behind a small one").isTrue();
    assertThat(queue.add(huge, null, 0)).isFalse();
  }
}
