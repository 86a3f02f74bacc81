package im.zonda.bench.scenario.occupant;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.bench.trace.EventKind;
import im.zonda.bench.trace.Trace;
import im.zonda.bench.trace.TraceBuilder;
import im.zonda.bench.trace.TraceEvent;
import im.zonda.bench.trace.TraceHeader;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

class AttendanceTest {
  private final LongAdder certain = new LongAdder();
  private final Timetable timetable = new Timetable(trace());
  private final Trace.Stay stay = timetable.stays(0).getFirst();
  private final Attendance attendance = new Attendance(stay, timetable, certain);

  /// Player a is in the room for 40 s; b speaks every second for a minute, and once to a.
  private static Trace trace() {
    TraceBuilder builder = new TraceBuilder(0);
    builder.add(new TraceEvent(0, EventKind.JOIN, "a", "r", 0));
    builder.add(new TraceEvent(0, EventKind.JOIN, "b", "r", 0));
    for (int second = 1; second <= 60; second++) {
      builder.add(new TraceEvent(second * 1_000L, EventKind.SAY, "b", "r", 5));
      if (second == 30) {
        builder.add(new TraceEvent(30_000, EventKind.DM, "b", "a", 5));
      }
      if (second == 40) {
        builder.add(new TraceEvent(40_000, EventKind.LEAVE, "a", "r", 0));
      }
    }
    return builder.build(new TraceHeader(new LinkedHashMap<>()));
  }

  private Attendance.Order arrived(int message) {
    Trace.Message said = timetable.message(message);
    return attendance.arrived(message, timetable.senderPlace(message), said.millis());
  }

  @Test
  void whatIsDueFromTheEntryUntilSomeTimeBeforeTheDepartureMustArrive() {
    assertThat(attendance.expected(timetable)).isZero();

    attendance.begin(10_500);

    // From 11 s to 30 s, since the departure is at 40 s.
    assertThat(attendance.expected(timetable)).isEqualTo(20);
    assertThat(timetable.countSentTo(0, 0, 60_000)).isEqualTo(1);
  }

  @Test
  void copiesAreInOrderDoubledOrLate() {
    attendance.begin(0);

    assertThat(arrived(3)).isEqualTo(Attendance.Order.NEXT);
    assertThat(arrived(3)).isEqualTo(Attendance.Order.DOUBLED);
    assertThat(arrived(2)).isEqualTo(Attendance.Order.LATE);
    assertThat(arrived(5)).isEqualTo(Attendance.Order.NEXT);
    assertThat(certain.sum()).isEqualTo(3);
  }

  @Test
  void copiesThatNeedNotArriveDoNotMakeUpForOthers() {
    attendance.begin(10_500);

    assertThat(arrived(0)).isEqualTo(Attendance.Order.NEXT);
    assertThat(certain.sum()).isZero();
  }

  @Test
  void aMarkSaysWhichMessageAndHowLateItWasSent() {
    byte[] element =
        ("<message from='r0@x/p1'><body>" + new CopyMark(54_321, 87).body(40) + "</body></message>")
            .getBytes(StandardCharsets.UTF_8);

    assertThat(CopyMark.message(element, 0, element.length)).isEqualTo(54_321);
    assertThat(CopyMark.delayMicros(element, 0, element.length)).isEqualTo(87);
    byte[] other = "<message><body>~12x.3 </body></message>".getBytes(StandardCharsets.UTF_8);
    assertThat(CopyMark.message(other, 0, other.length)).isEqualTo(-1);
  }
}
