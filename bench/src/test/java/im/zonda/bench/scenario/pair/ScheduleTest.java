package im.zonda.bench.scenario.pair;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.bench.xmpp.ClientLoop;
import im.zonda.bench.xmpp.ClientLoops;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ScheduleTest {
  private final ClientLoops loops = ClientLoops.open(2);
  private final long begin = System.nanoTime() - TimeUnit.MINUTES.toNanos(1);

  private record Sent(int client, long micros) {}

  @AfterEach
  void close() {
    loops.close();
  }

  /// What is due in a second that has passed, so that nothing is waited for.
  private Queue<Sent> run(Schedule schedule, Map<ClientLoop, List<Integer>> byLoop) {
    Queue<Sent> sent = new ConcurrentLinkedQueue<>();
    schedule
        .run(
            byLoop,
            begin,
            begin + TimeUnit.SECONDS.toNanos(1),
            (client, due) -> sent.add(new Sent(client, (due - begin) / 1_000)))
        .join();
    return sent;
  }

  @Test
  void clientsTakeTurnsWhateverLoopTheyAreOn() {
    Map<ClientLoop, List<Integer>> byLoop =
        Map.of(loops.all().getFirst(), List.of(0, 3), loops.all().getLast(), List.of(1, 2));

    Queue<Sent> sent = run(new Schedule(4, 10, false, 1), byLoop);

    assertThat(sent)
        .containsExactlyInAnyOrderElementsOf(
            IntStream.range(0, 10).mapToObj(i -> new Sent(i % 4, i * 100_000L)).toList());
  }

  @Test
  void aProcessSendsItsShareOnly() {
    Map<ClientLoop, List<Integer>> mine = Map.of(loops.all().getFirst(), List.of(2, 3));
    assertThat(run(new Schedule(4, 100, false, 1), mine))
        .hasSize(50)
        .allMatch(sent -> sent.client() >= 2);
  }

  @Test
  void messagesThatComeByChanceComeAtTheRate() {
    Map<ClientLoop, List<Integer>> mine =
        Map.of(loops.all().getFirst(), IntStream.range(0, 20).boxed().toList());

    Queue<Sent> sent = run(new Schedule(40, 20_000, true, 5), mine);

    // Half of the clients: 10,000 with a deviation of 100.
    assertThat(sent).hasSizeBetween(9_500, 10_500);
    assertThat(sent.stream().map(Sent::client).distinct()).hasSize(20);
    assertThat(run(new Schedule(40, 20_000, true, 5), mine)).containsExactlyElementsOf(sent);
  }
}
