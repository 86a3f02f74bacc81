package im.zonda.app.load.measure;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Memory of a server's process: resident memory, and for a Java server the live heap.
public final class ServerMemory {
  private static final int CLASSES_SHOWN = 20;

  /// Rank, instances, bytes and class.
  private static final Pattern ROW = Pattern.compile("\\s*\\d+:\\s+\\d+\\s+(\\d+)\\s+(\\S+)");

  /// The live bytes of a heap by class.
  public record Heap(long bytes, Map<String, Long> byClass) {
    /// The classes that take most more than `before`, one per line, per one of `count`.
    public String growth(Heap before, int count) {
      return byClass.entrySet().stream()
          .map(e ->
              Map.entry(e.getKey(), e.getValue() - before.byClass.getOrDefault(e.getKey(), 0L)))
          .sorted(Comparator.comparingLong((Map.Entry<String, Long> e) -> -e.getValue()))
          .limit(CLASSES_SHOWN)
          .map(e ->
              String.format(Locale.ROOT, "%,10.0f  %s", e.getValue() / (double) count, e.getKey()))
          .collect(Collectors.joining("\n"));
    }
  }

  private final long pid;
  private final boolean heap;

  /// Memory of that process, or of none if `pid` is 0.
  public ServerMemory(long pid, boolean heap) {
    this.pid = pid;
    this.heap = heap;
  }

  /// Resident memory in KiB; 0 if unknown.
  public long residentKib() throws IOException {
    if (pid == 0) {
      return 0;
    }
    for (String line : Files.readAllLines(Path.of("/proc", Long.toString(pid), "status"))) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("[^0-9]", ""));
      }
    }
    return 0;
  }

  /// The live heap after a full collection, which this call triggers; empty if the server is not a
  /// Java process of this user or the heap is not wanted.
  public Optional<Heap> liveHeap() throws IOException {
    if (pid == 0 || !heap || !isJava()) {
      return Optional.empty();
    }
    // Twice: what a cleaner frees is gone only the second time.
    histogram();
    return histogram();
  }

  /// The signal that jcmd sends would kill any other program. For this process itself the call
  /// would never return, because its threads are paused while it answers.
  private boolean isJava() throws IOException {
    if (pid == ProcessHandle.current().pid()) {
      return false;
    }
    Path program = Files.readSymbolicLink(Path.of("/proc", Long.toString(pid), "exe"));
    return program.endsWith("java");
  }

  /// A command with the same output.
  public String command() {
    return "jcmd " + pid + " GC.class_histogram";
  }

  private Optional<Heap> histogram() throws IOException {
    String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    Process process =
        new ProcessBuilder(jcmd, Long.toString(pid), "GC.class_histogram")
            .redirectErrorStream(true)
            .start();
    String text;
    try (InputStream out = process.getInputStream()) {
      text = new String(out.readAllBytes(), StandardCharsets.UTF_8);
    }
    return parse(text.lines().toList());
  }

  /// Parses the output of `GC.class_histogram`.
  public static Optional<Heap> parse(List<String> lines) {
    Map<String, Long> byClass = new HashMap<>();
    for (String line : lines) {
      String[] words = line.strip().split("\\s+", -1);
      if (words[0].equals("Total") && words.length == 3) {
        return Optional.of(new Heap(Long.parseLong(words[2]), Map.copyOf(byClass)));
      }
      var row = ROW.matcher(line);
      if (row.lookingAt()) {
        byClass.merge(row.group(2), Long.parseLong(row.group(1)), Long::sum);
      }
    }
    return Optional.empty();
  }
}
