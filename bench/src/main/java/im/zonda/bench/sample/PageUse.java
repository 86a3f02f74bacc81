package im.zonda.bench.sample;

import im.zonda.bench.result.Result;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/// The pages of memory that a process uses, from `/proc/PID/stat` and `/proc/PID/smaps_rollup`
/// (proc(5)).
///
/// @param faults page faults since the process started: first uses of a page, and pages that were
///   read from a disk
/// @param hugeBytes its memory in transparent huge pages
public record PageUse(long faults, long hugeBytes) {
  private static final double MEBIBYTE = 1 << 20;

  /// What a process uses now; empty if it has ended, or the kernel does not say.
  public static Optional<PageUse> read(long pid) throws IOException {
    return ProcFiles.ofMachine().pages(pid);
  }

  /// The figures of a result.
  ///
  /// @param before what the process had used when the measured phase began
  public List<Result.Figure> figuresSince(PageUse before) {
    return List.of(
        new Result.Figure(
            "page-faults", "page faults of the server", (double) faults - before.faults, "", null),
        new Result.Figure(
            "huge-pages", "memory of the server in huge pages", hugeBytes / MEBIBYTE, "MiB", null));
  }
}
