package im.zonda.app.doctor.machine;

import im.zonda.app.finding.Finding;
import im.zonda.app.status.ByteCount;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Checks of the Java runtime and its options.
public final class JavaChecks {
  private static final int NEEDED = 25;
  private static final long LEAST_HEAP = 128L << 20;
  private static final String OPTIONS = "the options are in jvm.options beside zonda";

  private JavaChecks() {}

  /// The version.
  static Finding version(ProcessFacts.Java java) {
    return java.feature() < NEEDED
        ? Finding.problem(
            "java",
            "version " + java.version() + " is too old",
            "install a JDK " + NEEDED + " or later and point ZONDA_JAVA at it")
        : Finding.ok("java", "version " + java.version());
  }

  /// The heap, if it is small.
  static Finding heap(ProcessFacts.Java java) {
    String text = "the heap is " + ByteCount.text(java.heap()) + " at most";
    return java.heap() < LEAST_HEAP
        ? Finding.warning(
            "heap",
            text + ", which is little for a server",
            MachineChecks.heapAdvice(4 * LEAST_HEAP))
        : Finding.ok("heap", text);
  }

  /// The garbage collector.
  static Finding collector(ProcessFacts.Java java) {
    String names = String.join(", ", java.collectors());
    boolean stops =
        java.collectors().stream()
            .map(each -> each.toLowerCase(Locale.ROOT))
            .anyMatch(each ->
                each.equals("copy") || each.contains("marksweep") || each.startsWith("ps "));
    return stops
        ? Finding.warning(
            "collector",
            "the garbage collector (" + names + ") stops the server for long on a large heap",
            OPTIONS + ": keep -XX:+UseG1GC, and remove other collectors from ZONDA_JAVA_OPTS")
        : Finding.ok("collector", names);
  }

  /// Options that a server must not or should have.
  static List<Finding> options(ProcessFacts.Java java) {
    List<Finding> findings = new ArrayList<>();
    for (String each : java.options()) {
      if (each.startsWith("-agentlib:jdwp") || each.startsWith("-Xrunjdwp")) {
        findings.add(
            Finding.problem(
                "java options",
                each + " lets anyone who reaches its port run programs here",
                "remove it from ZONDA_JAVA_OPTS"));
      } else if (each.equals("-Xint") || each.equals("-XX:TieredStopAtLevel=0")) {
        findings.add(
            Finding.warning(
                "java options",
                each + " switches the compiler off: the server is slow",
                "remove it from ZONDA_JAVA_OPTS"));
      }
    }
    if (!java.options().contains("-XX:+ExitOnOutOfMemoryError")) {
      findings.add(
          Finding.warning(
              "java options",
              "without memory the server would not end, and so would not be started again",
              OPTIONS + ": keep -XX:+ExitOnOutOfMemoryError"));
    }
    return findings.isEmpty()
        ? List.of(Finding.ok("java options", "as they should be"))
        : List.copyOf(findings);
  }

  /// All of them.
  public static List<Finding> all(ProcessFacts.Java java) {
    List<Finding> findings = new ArrayList<>(List.of(version(java), heap(java), collector(java)));
    findings.addAll(options(java));
    return findings;
  }
}
