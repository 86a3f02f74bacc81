package im.zonda.app.recording;

import im.zonda.jfr.Commit;
import im.zonda.jfr.HandOver;
import im.zonda.jfr.Login;
import im.zonda.jfr.MailboxWait;
import im.zonda.jfr.StanzaSlow;
import im.zonda.jfr.StreamOpened;
import im.zonda.jfr.TlsHandshake;
import im.zonda.profile.StanzaCount;
import im.zonda.profile.ThreadTime;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import jdk.jfr.Event;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;

/// The events of a recording: those that say where time, memory and pauses come from, and those of
/// the server itself. None has properties, the environment, arguments, other processes, addresses
/// of peers, names of files or messages of exceptions.
final class RecordedEvents {
  private static final String CPU_SAMPLE = "jdk.CPUTimeSample";

  /// The prefix of the server's own events.
  private static final String OWN = "zonda.";

  /// The names of events of the JDK with their settings. Samples of CPU time are taken after every
  /// 10 ms that a thread was busy.
  private static final Map<String, Map<String, String>> SETTINGS =
      Map.ofEntries(
          Map.entry(CPU_SAMPLE, Map.of("throttle", "10ms", "stackTrace", "true")),
          Map.entry("jdk.CPUTimeSamplesLost", Map.of()),
          Map.entry(
              "jdk.ObjectAllocationSample", Map.of("throttle", "150/s", "stackTrace", "true")),
          Map.entry("jdk.ExceptionStatistics", Map.of("period", "1 s")),
          Map.entry("jdk.GarbageCollection", Map.of()),
          Map.entry("jdk.GCPhasePause", Map.of()),
          Map.entry("jdk.GCHeapSummary", Map.of()),
          Map.entry("jdk.CPULoad", Map.of("period", "1 s")),
          Map.entry("jdk.VirtualThreadPinned", Map.of("threshold", "1 ms", "stackTrace", "true")),
          Map.entry("jdk.JavaMonitorEnter", Map.of("threshold", "10 ms", "stackTrace", "true")));

  /// Where the machine cannot sample CPU time: what ran every 10 ms.
  private static final Map<String, Map<String, String>> ELSEWHERE =
      Map.of("jdk.ExecutionSample", Map.of("period", "10 ms", "stackTrace", "true"));

  /// The server's own events.
  private static final List<Class<? extends Event>> OWN_EVENTS =
      List.of(
          Commit.class,
          HandOver.class,
          Login.class,
          MailboxWait.class,
          StanzaCount.class,
          StanzaSlow.class,
          StreamOpened.class,
          ThreadTime.class,
          TlsHandshake.class);

  private RecordedEvents() {}

  /// Enables them for a recording.
  static void enableIn(Recording recording) {
    Set<String> known =
        FlightRecorder.getFlightRecorder().getEventTypes().stream()
            .map(EventType::getName)
            .collect(Collectors.toSet());
    SETTINGS.forEach((name, settings) -> enable(recording, name, settings));
    if (!known.contains(CPU_SAMPLE) || !System.getProperty("os.name").equals("Linux")) {
      ELSEWHERE.forEach((name, settings) -> enable(recording, name, settings));
    }
    OWN_EVENTS.forEach(recording::enable);
  }

  private static void enable(Recording recording, String name, Map<String, String> settings) {
    var enabled = recording.enable(name).withoutStackTrace();
    settings.forEach(enabled::with);
  }

  /// Whether a recording may have events of that name: others are in it if someone else records at
  /// the same time.
  static boolean mayHave(String name) {
    return SETTINGS.containsKey(name) || ELSEWHERE.containsKey(name) || name.startsWith(OWN);
  }
}
