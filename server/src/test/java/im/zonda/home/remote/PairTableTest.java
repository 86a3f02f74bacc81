package im.zonda.home.remote;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.link.DomainPair;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class PairTableTest {
  private static final Payer ROMEO = new Payer.Sender(Jid.of("romeo@example.org"));
  private static final Payer JULIET = new Payer.Sender(Jid.of("juliet@example.org"));

  private final List<DomainPair> displaced = new ArrayList<>();
  private final PairTable table = new PairTable((pair, streams) -> displaced.add(pair));

  private static DomainPair pair(int number) {
    return new DomainPair("example.org", "s" + number + ".example.net");
  }

  /// Each stanza of somebody who does not pay comes here.
  @Test
  @Timeout(60)
  void aSenderWhoPaysForAsManyDoesNotWaitForTheTable() throws InterruptedException {
    assertThat(table.use(pair(1), ROMEO, 2)).isTrue();
    Thread sender;
    synchronized (table) {
      sender = Thread.ofPlatform().start(() -> table.use(pair(1), JULIET, 2));
      sender.join();
    }
    assertThat(sender.isAlive()).isFalse();
  }

  @Test
  void aSenderWhoPaysForFewerTakesAPairOver() {
    for (int i = 1; i <= 3; i++) {
      assertThat(table.use(pair(i), ROMEO, 4)).isTrue();
    }
    assertThat(table.use(pair(1), JULIET, 4)).isTrue();
    // Each has two now after another one: a new one displaces nobody's who has as many.
    assertThat(table.use(pair(4), JULIET, 4)).isTrue();
    assertThat(table.use(pair(5), ROMEO, 4)).isFalse();
    assertThat(table.use(pair(5), JULIET, 4)).isFalse();
    table.unloaded(pair(4));
    table.unloaded(pair(1));
    assertThat(table.use(pair(6), ROMEO, 4)).isTrue();
    assertThat(table.use(pair(7), ROMEO, 4)).isTrue();
    assertThat(table.use(pair(8), JULIET, 4)).isTrue();
    assertThat(displaced).containsExactly(pair(2));
  }
}
