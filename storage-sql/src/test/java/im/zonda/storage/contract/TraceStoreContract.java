package im.zonda.storage.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.jid.Jid;
import im.zonda.store.MessageLog;
import im.zonda.trace.TraceStore;
import im.zonda.trace.TraceStore.Query;
import im.zonda.trace.TraceStore.Step;
import im.zonda.trace.TraceStore.Traced;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Contract of the messages that were traced, and their steps.
public abstract class TraceStoreContract extends StoresContract {
  private static final Jid ROMEO = Jid.of("romeo@example.org/garden");
  private static final Jid JULIET = Jid.of("juliet@example.org");
  private static final Jid NURSE = Jid.of("nurse@example.org/kitchen");

  private TraceStore traces() {
    return stores.traces();
  }

  private static Traced message(
      long id, String chosen, @Nullable Jid sender, @Nullable Jid receiver) {
    return new Traced(id, 100 + id, chosen, "n1", sender, receiver, "chat", "m" + id);
  }

  private static Step step(long id, long trace, long time) {
    return new Step(id, trace, time, "n1", "home", "received", null, "d" + id);
  }

  private void append(Traced... messages) {
    traces().append(List.of(messages), List.of());
  }

  private List<Long> found(Query query) {
    return traces().find(query).stream().map(Traced::id).toList();
  }

  private static Query of(@Nullable Jid address, @Nullable String chosen) {
    return new Query(address, chosen, Long.MIN_VALUE, Long.MAX_VALUE, 100);
  }

  @Test
  void whatWasAddedIsReadAgain() {
    Traced whole = message(7, "t1", ROMEO, NURSE);
    Traced part = new Traced(8, -3, "t2", "", null, null, "normal", null);
    Step refused = new Step(2, 107, 9, "", "room", "refused", "room-no-voice", null);
    traces().append(List.of(whole, part), List.of(step(1, 107, 5), refused));
    assertThat(traces().find(Query.newest(10))).containsExactly(part, whole);
    assertThat(whole.time()).isEqualTo(MessageLog.timeOf(7));
    assertThat(traces().messages(107)).containsExactly(whole);
    assertThat(traces().messages(1)).isEmpty();
    assertThat(traces().steps(107)).containsExactly(step(1, 107, 5), refused);
  }

  @Test
  void nothingIsAddedOfNothing() {
    traces().append(List.of(), List.of());
    assertThat(found(Query.newest(10))).isEmpty();
  }

  @Test
  void stepsAreInTheOrderOfTheirTimes() {
    traces().append(List.of(), List.of(step(1, 5, 30), step(2, 6, 1), step(3, 5, 10)));
    assertThat(traces().steps(5)).extracting(Step::id).containsExactly(3L, 1L);
    assertThat(traces().steps(7)).isEmpty();
  }

  @Test
  void aMessageHasAnEntryOfEachNodeThatHasBegun() {
    Traced one = new Traced(1, 5, "t1", "n1", ROMEO, JULIET, "chat", null);
    Traced other = new Traced(2, 5, "t1", "n2", ROMEO, JULIET, "chat", null);
    append(other, one);
    assertThat(traces().messages(5)).containsExactly(one, other);
  }

  @Test
  void messagesAreFoundByAddressAndChoice() {
    append(
        message(1, "t1", ROMEO, JULIET),
        message(2, "t2", JULIET, ROMEO),
        message(3, "t1", NURSE, JULIET),
        message(4, "t1", ROMEO, ROMEO),
        message(5, "t1", null, JULIET));
    assertThat(found(of(ROMEO, null))).containsExactly(4L, 2L, 1L);
    assertThat(found(of(JULIET, "t1"))).containsExactly(5L, 3L, 1L);
    assertThat(found(of(null, "t2"))).containsExactly(2L);
    assertThat(found(of(ROMEO.withResource("balcony"), null))).hasSize(3);
  }

  @Test
  void pagesFollowEachOther() {
    append(
        LongStream.rangeClosed(1, 9)
            .mapToObj(i -> message(i, "t1", i % 2 == 0 ? ROMEO : JULIET, ROMEO))
            .toArray(Traced[]::new));
    assertThat(found(new Query(ROMEO, null, 2, Long.MAX_VALUE, 3))).containsExactly(9L, 8L, 7L);
    assertThat(found(new Query(ROMEO, null, 2, 7, 3))).containsExactly(6L, 5L, 4L);
    assertThat(found(new Query(ROMEO, null, 2, 4, 3))).containsExactly(3L, 2L);
  }

  private void addNine() {
    List<Traced> messages = new ArrayList<>();
    List<Step> steps = new ArrayList<>();
    for (int i = 1; i <= 9; i++) {
      messages.add(message(10L * i, "t1", ROMEO, JULIET));
      steps.add(step(10L * i + 1, 100L + 10L * i, i));
    }
    traces().append(messages, steps);
  }

  @Test
  void theOldestAreErasedFirst() {
    addNine();
    assertThat(traces().erase(50, 2)).isEqualTo(2);
    assertThat(traces().erase(50, 9)).isEqualTo(2);
    assertThat(found(Query.newest(10))).containsExactly(90L, 80L, 70L, 60L, 50L);
    assertThat(traces().steps(140)).isEmpty();
    assertThat(traces().trim(2, 9)).isEqualTo(4);
    assertThat(traces().trim(2, 9)).isZero();
    assertThat(found(Query.newest(10))).containsExactly(90L);
    assertThat(traces().steps(180)).hasSize(1);
  }

  @Test
  void anAddressIsForgotten() {
    addNine();
    append(message(95, "t1", NURSE, ROMEO), message(96, "t1", NURSE, JULIET));
    assertThat(traces().forget(ROMEO, 4)).isEqualTo(4);
    assertThat(traces().forget(ROMEO, 100)).isEqualTo(6);
    assertThat(traces().forget(ROMEO, 100)).isZero();
    assertThat(found(Query.newest(10))).containsExactly(96L);
    assertThat(traces().steps(190)).isEmpty();
  }

  @Test
  void textsAreCutBetweenCharacters() {
    Traced traced = new Traced(1, 1, "t", "n", ROMEO, JULIET, "chat", "\u00e4".repeat(200));
    assertThat(traced.stanza()).isEqualTo("\u00e4".repeat(127));
    Step step = new Step(1, 1, 1, "n", "home", "received", null, "a\0b");
    traces().append(List.of(traced), List.of(step));
    assertThat(traces().find(Query.newest(1))).containsExactly(traced);
    assertThat(traces().steps(1).getFirst().detail()).isEqualTo("a\ufffdb");
  }

  @Test
  void aPageHasALimit() {
    assertThatThrownBy(() -> Query.newest(TraceStore.MAX_PAGE + 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Query.newest(0)).isInstanceOf(IllegalArgumentException.class);
  }
}
