package im.zonda.profile;

import java.util.Map;
import java.util.TreeMap;

/// Which events of the JDK a recording has: those that say where time, memory and pauses come from.
/// None has properties, the environment, arguments, other processes, addresses of peers, names of
/// files or messages of exceptions.
public final class RecordingSettings {
  /// The event of a sample of the CPU time of a thread, after every 10 ms that the thread was busy.
  /// Only Linux has it.
  public static final String CPU_SAMPLE = "jdk.CPUTimeSample";

  /// The names of events with their settings.
  public static final Map<String, Map<String, String>> USUAL =
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

  /// What is recorded where the machine cannot sample CPU time: what ran every 10 ms.
  public static final Map<String, Map<String, String>> ELSEWHERE =
      Map.of("jdk.ExecutionSample", Map.of("period", "10 ms", "stackTrace", "true"));

  /// Where exceptions are made. These events have the messages of exceptions, which may name users:
  /// they are for servers under test only.
  public static final Map<String, Map<String, String>> THROWN =
      Map.of(
          ProfileReader.EXCEPTION, Map.of("stackTrace", "true"),
          ProfileReader.ERROR, Map.of("stackTrace", "true"));

  private RecordingSettings() {}

  /// Settings as the text of a file for `jcmd PID JFR.start settings=FILE`.
  ///
  /// @param events settings by the names of events
  public static String text(Map<String, Map<String, String>> events) {
    StringBuilder text = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    text.append("<configuration version=\"2.0\">\n");
    new TreeMap<>(events)
        .forEach((name, settings) -> {
          Map<String, String> all = new TreeMap<>(Map.of("stackTrace", "false"));
          all.putAll(settings);
          all.put("enabled", "true");
          text.append("  <event name=\"").append(name).append("\">\n");
          all.forEach((key, value) ->
              text.append("    <setting name=\"")
                  .append(key)
                  .append("\">")
                  .append(value)
                  .append("</setting>\n"));
          text.append("  </event>\n");
        });
    return text.append("</configuration>\n").toString();
  }
}
