package im.zonda.home.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.home.lifecycle.RecordingStream;
import im.zonda.home.lifecycle.TestClock;
import im.zonda.home.lifecycle.TestStanzas;
import im.zonda.home.session.Outgoing.Fate;
import im.zonda.jid.Jid;
import im.zonda.link.ack.AckCount;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Which phase of a session can follow which, and what a session has and does in each.
final class SessionPhaseTest {
  private static final Jid JULIET = Jid.of("juliet@example.org/balcony");

  /// The phases that can follow the first one of each line.
  private static final String LEGAL =
      """
      Binding   Attached Ended
      Arriving  Detached Moved Ended
      Attached  Resuming Detached Moved Ended
      Resuming  Attached Resuming Detached Moved Ended
      Detached  Resuming Moved Ended
      Moved
      Ended
      """;

  private final TestClock clock = new TestClock();
  private final Budget<LocalSession> budget =
      new Budget<>(OutgoingBoundsTest.limits(20, 65_536, 1 << 20), Long.MAX_VALUE, clock);
  private final RecordingStream first = new RecordingStream();
  private final RecordingStream second = new RecordingStream();
  private final LoneSession lone = new LoneSession(JULIET, first, budget, clock);
  private final LocalSession session = lone.session();
  private final List<String> cancelled = new ArrayList<>();

  private static List<SessionPhase> all(HomeLink link) {
    SessionPhase attached = new SessionPhase.Attached(link);
    return List.of(
        new SessionPhase.Binding(link),
        new SessionPhase.Arriving(0),
        attached,
        new SessionPhase.Resuming(link, attached),
        new SessionPhase.Detached(0, 0, attached),
        SessionPhase.Moved.MOVED,
        SessionPhase.Ended.ENDED);
  }

  private static String name(SessionPhase phase) {
    return phase.getClass().getSimpleName();
  }

  @Test
  void thePhasesThatCanFollowEachPhase() {
    HomeLink link = new HomeLink(new NoHomes(), first);
    Map<String, Set<String>> legal =
        LEGAL
            .lines()
            .map(line -> List.of(line.split(" +")))
            .collect(
                Collectors.toMap(List::getFirst, line -> Set.copyOf(line.subList(1, line.size()))));
    for (SessionPhase before : all(link)) {
      Set<String> next =
          all(link).stream()
              .filter(each -> each.canFollow(before))
              .map(SessionPhaseTest::name)
              .collect(Collectors.toSet());
      assertThat(next).as(name(before)).isEqualTo(legal.remove(name(before)));
    }
    assertThat(legal).isEmpty();
  }

  @Test
  void theTableHasAllPhases() {
    Stream<Class<?>> phases =
        Stream.of(SessionPhase.class.getPermittedSubclasses())
            .flatMap(each ->
                each.isSealed() ? Stream.of(each.getPermittedSubclasses()) : Stream.of(each));
    assertThat(phases.map(Class::getSimpleName))
        .containsExactlyInAnyOrderElementsOf(
            LEGAL.lines().map(line -> line.split(" ", -1)[0]).toList());
  }

  @Test
  void aSessionIsGivenToTheStreamThatWaitsForIt() {
    HomeLink link = new HomeLink(new NoHomes(), first);
    SessionPhase other = new SessionPhase.Attached(new HomeLink(new NoHomes(), first));
    assertThat(other.canFollow(new SessionPhase.Binding(link))).isFalse();
    assertThat(other.canFollow(new SessionPhase.Resuming(link, other))).isFalse();
  }

  private void manage() {
    assertThat(lone.bound()).isEqualTo(Fate.TAKEN);
    assertThat(session.outgoing().manage()).isTrue();
  }

  @Test
  void aSessionLives() {
    assertThat(session.phase()).isInstanceOf(SessionPhase.Binding.class);
    session.send(TestStanzas.message("1"));
    assertThat(first.values()).as("before the answer").isEmpty();
    manage();
    assertThat(session.phase()).isInstanceOf(SessionPhase.Attached.class);
    assertThat(first.texts()).containsExactly("1");
    session.send(TestStanzas.message("2"));

    long lost = clock.millis();
    session.detached(lost, lost + 300_000).timer(() -> cancelled.add("deadline"));
    assertThat(session.isDetached()).isTrue();
    assertThat(session.isAsleep()).isTrue();
    assertThat(session.phase().detachedSince()).isEqualTo(lost);
    session.send(TestStanzas.message("3"));
    assertThat(first.texts()).containsExactly("1", "2");

    clock.advance(Duration.ofSeconds(100));
    assertThat(lone.resuming(second, 0)).isEqualTo(AckCount.VALID);
    assertThat(cancelled).containsExactly("deadline");
    assertThat(session.phase()).isInstanceOf(SessionPhase.Resuming.class);
    assertThat(session.isDetached()).isFalse();
    assertThat(session.phase().detachedSince()).isEqualTo(SessionPhase.NEVER);
    session.send(TestStanzas.message("4"));
    assertThat(second.values()).as("it waits").isEmpty();

    // The stream that waited is lost: the deadline of the first one stands.
    long now = clock.millis();
    assertThat(session.detached(now, now + 300_000).deadline()).isEqualTo(lost + 300_000);

    assertThat(lone.resuming(second, 0)).isEqualTo(AckCount.VALID);
    assertThat(lone.resumed((message, time) -> message)).isEqualTo(Fate.TAKEN);
    assertThat(session.phase()).isInstanceOf(SessionPhase.Attached.class);
    assertThat(second.texts()).containsExactly("2", "3", "4");
    assertThat(session.detached(now, now + 300_000).deadline()).isEqualTo(now + 300_000);

    assertThat(session.ended()).hasSize(3);
    assertThat(session.phase().isOver()).isTrue();
    assertThat(lone.resuming(first, 3)).isNull();
    session.send(
        TestStanzas.of("<iq type='get' id='q' from='romeo@example.org/o'><a xmlns='b'/></iq>"));
    assertThat(lone.homes().asked()).containsExactly("notTaken");
    assertThat(budget.taken()).isZero();
  }

  @Test
  void whatMovesIsNotSentHereAnyMore() {
    manage();
    session.send(TestStanzas.message("1"));
    lone.detach();
    session.moved();
    assertThat(session.phase().isOver()).isTrue();
    assertThat(budget.taken()).isZero();
    session.send(
        TestStanzas.of("<iq type='get' id='q' from='romeo@example.org/o'><a xmlns='b'/></iq>"));
    assertThat(lone.homes().asked()).containsExactly("notTaken");
  }

  private void assertIllegal(Runnable step, String message) {
    SessionPhase before = session.phase();
    assertThatThrownBy(step::run).isInstanceOf(IllegalStateException.class).hasMessage(message);
    assertThat(session.phase()).isSameAs(before);
    assertThat(lone.homes().asked()).containsExactly("phaseIllegal");
    lone.homes().asked().clear();
    assertThat(IllegalPhases.take()).hasSize(1);
  }

  @Test
  void anIllegalStepChangesNothing() {
    assertIllegal(lone::detach, "Binding to Detached");
    assertIllegal(session::moved, "Binding to Moved");
    manage();
    session.send(TestStanzas.message("1"));
    assertIllegal(() -> lone.resumed((message, time) -> message), "Attached to Attached");
    lone.detach();
    assertIllegal(lone::detach, "Detached to Detached");
    assertThat(session.outgoing().unacknowledged()).isEqualTo(1);
    assertThat(session.ended()).hasSize(1);
    assertIllegal(session::ended, "Ended to Ended");
    assertIllegal(session::moved, "Ended to Moved");
  }
}
