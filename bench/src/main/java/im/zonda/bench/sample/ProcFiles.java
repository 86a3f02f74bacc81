package im.zonda.bench.sample;

import im.zonda.profile.ThreadTimes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Reads what the kernel says of processes below `/proc`.
///
/// @param root that folder
record ProcFiles(Path root) {
  private static final int KIB = 1024;

  /// Those of this machine.
  static ProcFiles ofMachine() {
    return new ProcFiles(Path.of("/proc"));
  }

  /// Whether the kernel has such files.
  boolean exist() {
    return Files.isReadable(root.resolve("stat"));
  }

  /// All processors.
  MachineStat machine() throws IOException {
    return MachineStat.parse(Files.readString(root.resolve("stat")));
  }

  /// A process; empty if there is none with that number.
  Optional<ProcessStat> process(long pid) throws IOException {
    return read(pid, "stat").map(ProcessStat::parse);
  }

  /// Resident memory of a process in bytes; 0 if it has ended. Of a process of a database, whose
  /// processes share memory, the proportional share is taken.
  long resident(long pid, boolean shared) throws IOException {
    if (shared) {
      Optional<String> rollup = read(pid, "smaps_rollup");
      if (rollup.isPresent()) {
        return kibibytes(rollup.get(), "Pss:");
      }
    }
    return read(pid, "status").map(text -> kibibytes(text, "VmRSS:")).orElse(0L);
  }

  /// Page faults and huge pages of a process; empty if it has ended.
  Optional<PageUse> pages(long pid) throws IOException {
    Optional<ProcessStat> stat = process(pid);
    long huge = read(pid, "smaps_rollup").map(text -> kibibytes(text, "AnonHugePages:")).orElse(0L);
    return stat.map(each -> new PageUse(each.faults(), huge));
  }

  private static long kibibytes(String text, String name) {
    return text.lines()
        .filter(line -> line.startsWith(name))
        .map(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * KIB)
        .findFirst()
        .orElse(0L);
  }

  /// Whether a process is a virtual machine of Java, whose threads have names by kind.
  boolean isJava(long pid) {
    try {
      return Files.readSymbolicLink(root.resolve(Long.toString(pid)).resolve("exe"))
          .endsWith("java");
    } catch (IOException e) {
      return false; // it has ended, or is somebody else's
    }
  }

  /// CPU time by thread.
  ThreadTimes threads(long pid) {
    return ThreadTimes.read(root.resolve(Long.toString(pid)).resolve("task"));
  }

  private Optional<String> read(long pid, String name) throws IOException {
    try {
      return Optional.of(
          Files.readString(
              root.resolve(Long.toString(pid)).resolve(name), StandardCharsets.ISO_8859_1));
    } catch (NoSuchFileException | AccessDeniedException e) {
      return Optional.empty(); // it has ended, or is somebody else's
    } catch (IOException e) {
      if (Files.exists(root.resolve(Long.toString(pid)).resolve("exe"))) {
        throw e;
      }
      return Optional.empty(); // it has ended between opening and reading
    }
  }

  /// A process and all that have descended from it, itself first.
  List<Long> tree(long pid) throws IOException {
    Map<Long, List<Long>> children = new HashMap<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(root, "[0-9]*")) {
      for (Path each : all) {
        long number = Long.parseLong(String.valueOf(each.getFileName()));
        process(number)
            .ifPresent(stat ->
                children.computeIfAbsent(stat.parent(), _ -> new ArrayList<>()).add(number));
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    List<Long> found = new ArrayList<>();
    Deque<Long> open = new ArrayDeque<>(List.of(pid));
    while (!open.isEmpty()) {
      long next = open.remove();
      found.add(next);
      open.addAll(children.getOrDefault(next, List.of()));
    }
    return found;
  }
}
