package im.zonda.home.session;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.home.lifecycle.TestClock;
import im.zonda.jid.Jid;
import im.zonda.store.MessageLog.Ending;
import im.zonda.store.MessageLog.Receipt;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Which sessions know an entry, and when it waits no longer.
final class SharedEntriesTest {
  private final Budget<LocalSession> budget =
      new Budget<>(OutgoingBoundsTest.limits(10, 10_000, 100_000), Long.MAX_VALUE, new TestClock());
  private final LocalSession live = session("live");
  private final LocalSession reading = session("reading");
  private final SharedEntries shared = new SharedEntries();
  private final List<Long> delivered = new ArrayList<>();
  private long failing;

  private LocalSession session(String resource) {
    LocalSession session =
        new LocalSession(
            Jid.of("juliet@example.org/" + resource),
            new SessionPhase.Arriving(0),
            budget,
            new NoHomes());
    session.since(1);
    return session;
  }

  private LogAction add(long id) {
    Receipt receipt =
        new Receipt() {
          @Override
          public void delivered() {
            if (id == failing) {
              throw new IllegalStateException("made to fail by the test");
            }
            delivered.add(id);
          }

          @Override
          public void whenEnded(Ending ending) {}
        };
    return shared.add(id, receipt, new WaitingMessages(), List.of(live));
  }

  private Set<Long> known(LocalSession session) {
    Set<Long> ids = new HashSet<>();
    shared.addKnown(session, session.since(), ids);
    return ids;
  }

  @Test
  void aSessionKnowsWhatItWasSent() {
    add(5).run();
    assertThat(known(live)).containsExactly(5L);
    assertThat(known(reading)).isEmpty();
  }

  @Test
  void anEntryThatFailsToSettleKeepsNoOther() {
    for (long id = 1; id <= 3; id++) {
      add(id).run();
    }
    LogAction last = add(4);
    failing = 1;
    shared.release();
    last.run();
    assertThat(delivered).containsExactlyInAnyOrder(2L, 3L, 4L);
  }

  @Test
  void aLaterSessionKnowsWhatAClientHasAcknowledged() {
    LogAction entry = add(5);
    LocalSession later = session("later");
    later.since(6);
    assertThat(known(later)).isEmpty();
    entry.run();
    assertThat(known(later)).containsExactly(5L);
  }

  @Test
  void anEntryWaitsForTheSessionThatReadsTheLog() {
    LogAction entry = add(5);
    assertThat(entry.settles()).isFalse();
    entry.run();
    assertThat(delivered).isEmpty();
  }

  @Test
  void whatNoSessionReadsWaitsForAnyClient() {
    add(5).run();
    LogAction notAcknowledged = add(6);
    shared.release();
    assertThat(delivered).containsExactly(5L);
    assertThat(notAcknowledged.settles()).isTrue();
    notAcknowledged.run();
    assertThat(delivered).containsExactly(5L, 6L);
  }

  @Test
  void whatTheReadingSessionHasIsNotKnownAnyMore() {
    add(5).run();
    shared.remove(5);
    assertThat(known(live)).isEmpty();
    shared.release();
    assertThat(delivered).isEmpty();
  }
}
