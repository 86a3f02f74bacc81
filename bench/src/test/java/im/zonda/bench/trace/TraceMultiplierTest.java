package im.zonda.bench.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import im.zonda.bench.trace.synth.Arena;
import im.zonda.bench.trace.synth.TraceSynthesis;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TraceMultiplierTest {
  private static final Trace ARENA = TraceSynthesis.make(new Arena(300, 8, 90, 1_200_000, 5));

  @TempDir Path folder;

  private static Multiplication rule(int times, long shift, double speed, double mix) {
    return new Multiplication(times, shift, speed, mix, 90, 9);
  }

  @ParameterizedTest
  @CsvSource({
    "1, 0, 1, 0",
    "1, 30000, 1, 0",
    "4, 0, 1, 0",
    "4, 30000, 1, 0",
    "10, 1199999, 1, 0",
    "5, 30000, 7, 0",
    "5, 30000, 0.3, 0",
    "4, 30000, 1, 1",
    "5, 600000, 3, 0.5"
  })
  void sizesRemainAndAllElseIsMultiplied(int times, long shift, double speed, double mix)
      throws IOException {
    Trace product = TraceMultiplier.multiply(ARENA, rule(times, shift, speed, mix));

    TraceStatistics before = TraceStatistics.of(ARENA);
    TraceStatistics after = TraceStatistics.of(product);
    assertThat(after.count("players")).isEqualTo(times * before.count("players"));
    assertThat(after.count("messages")).isEqualTo(times * before.count("messages"));
    assertThat(after.count("direct-messages")).isEqualTo(times * before.count("direct-messages"));
    assertThat(Arrays.stream(after.lengths()).sum())
        .isEqualTo((long) times * Arrays.stream(before.lengths()).sum());
    assertThat(after.sizes()).hasSize(times * before.sizes().length);
    assertThat(Arrays.stream(after.sizes()).max().orElse(0)).isBetween(1, 90);
    assertThat(faults(product)).isEmpty();
  }

  private List<String> faults(Trace trace) throws IOException {
    Path file = folder.resolve("trace.tsv");
    trace.write(Files.newOutputStream(file));
    List<String> faults = new ArrayList<>();
    assertThat(TraceCheck.check(file, 0, faults::add)).isEqualTo(faults.size());
    return faults;
  }

  @Test
  void clonesWithoutAShiftAreAlike() {
    Trace product = TraceMultiplier.multiply(ARENA, rule(3, 0, 1, 0));

    int[] peaks = new Occupancy(product).peaks();
    assertThat(Arrays.copyOfRange(peaks, 0, 8)).isEqualTo(Arrays.copyOfRange(peaks, 16, 24));
    assertThat(TraceStatistics.of(product).copies())
        .isEqualTo(Arrays.stream(TraceStatistics.of(ARENA).copies()).map(n -> 3 * n).toArray());
  }

  @Test
  void clonesWithAShiftSpeakAtOtherTimes() {
    Trace product = TraceMultiplier.multiply(ARENA, rule(2, 30_000, 1, 0));

    List<Long> first = times(product, 0, 300);
    List<Long> second = times(product, 300, 600);
    long shift = second.getFirst() - first.getFirst();
    assertThat(second).hasSameSizeAs(first).isNotEqualTo(first);
    assertThat(Math.abs(shift)).isLessThanOrEqualTo(30_000);
  }

  private static List<Long> times(Trace trace, int from, int until) {
    return trace.messages().stream()
        .filter(message -> message.player() >= from && message.player() < until)
        .map(Trace.Message::millis)
        .toList();
  }

  @Test
  void mixedPlayersAreInRoomsOfTwoClones() {
    Trace product = TraceMultiplier.multiply(ARENA, rule(2, 30_000, 1, 1));

    long strangers =
        product.stays().stream().filter(stay -> stay.room() < 8 != stay.player() < 300).count();
    assertThat(strangers).isGreaterThan(50);
  }

  @Test
  void theSameRuleMakesTheSameBytes() {
    Multiplication rule = rule(3, 30_000, 2, 0.3);

    assertThat(TraceMultiplier.multiply(ARENA, rule).hash())
        .isEqualTo(TraceMultiplier.multiply(ARENA, rule).hash());
  }

  @Test
  void aRoomAboveTheLimitIsRejected() {
    Multiplication rule = new Multiplication(2, 0, 1, 0, 89, 9);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> TraceMultiplier.multiply(ARENA, rule))
        .withMessage("room r0.0 has 90 players at a time, more than --max-room 89");
  }

  @Test
  void tooManyEventsAreRejectedBeforeTheyAreMade() {
    Trace.Message said = new Trace.Message(1, 0, 0, false, 5);
    Trace chat = ARENA.with(10, List.of(), List.of(), Collections.nCopies(8_001, said));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> TraceMultiplier.multiply(chat, new Multiplication(1_000, 0, 1, 0, 0, 9)))
        .withMessageContaining("--from and --length");
  }

  @Test
  void theBusiestPartIsFoundAndThoseWhoAreInAreInFromItsBegin() throws IOException {
    long from = TraceWindow.busiest(ARENA, 60_000);
    Trace part = TraceWindow.cut(ARENA, from, 60_000);

    long copies = Arrays.stream(TraceStatistics.of(part).copies()).sum();
    for (long other = 0; other <= 1_140_000; other += 60_000) {
      Trace rival = TraceWindow.cut(ARENA, other, 60_000);
      assertThat(Arrays.stream(TraceStatistics.of(rival).copies()).sum())
          .isLessThanOrEqualTo(copies);
    }
    long in = ARENA.stays().stream().filter(stay -> stay.covers(from)).count();
    assertThat(part.stays().stream().filter(stay -> stay.from() == 0).count()).isEqualTo(in);
    assertThat(faults(part)).isEmpty();
  }

  @Test
  void aPartThatTheTraceDoesNotHaveIsRejected() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TraceWindow.cut(ARENA, 1_200_000, 1_000))
        .withMessageContaining("no part of 1.0 s from 1200.0 s on");
  }
}
