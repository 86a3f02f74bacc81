package im.zonda.bench.command;

import java.util.OptionalLong;

/// Searches the greatest load that a server carries: doubles the load until a run fails, then
/// halves what lies between the last run that held and the first that failed. Of a load that fails
/// from the beginning on, the half is tried. Not thread-safe.
final class KneeSearch {
  private static final int PERCENT = 100;

  private final long from;
  private final long to;
  private final int within;
  private long held;
  private long failed = Long.MAX_VALUE;

  /// @param from the first load, at least 1
  /// @param to the greatest load, at least `from`
  /// @param within the distance at which the search ends, in percent of the load that held
  /// @throws IllegalArgumentException if there is no such search
  KneeSearch(long from, long to, int within) {
    if (from < 1 || to < from || within < 1) {
      throw new IllegalArgumentException(
          "the search is from at least 1 up to at least that, within at least 1 percent");
    }
    this.from = from;
    this.to = to;
    this.within = within;
  }

  /// The load of the next run; empty if the knee is found.
  OptionalLong next() {
    if (held == 0) {
      long load = failed == Long.MAX_VALUE ? from : failed / 2;
      return load < 1 ? OptionalLong.empty() : OptionalLong.of(load);
    }
    if (failed == Long.MAX_VALUE) {
      return held == to ? OptionalLong.empty() : OptionalLong.of(Math.min(to, held * 2));
    }
    long between = failed - held;
    return between <= Math.max(1, held * within / PERCENT)
        ? OptionalLong.empty()
        : OptionalLong.of(held + between / 2);
  }

  /// A run with that load has ended.
  void tried(long load, boolean holds) {
    if (holds) {
      held = Math.max(held, load);
    } else {
      failed = Math.min(failed, load);
    }
  }

  /// The greatest load that held; 0 if none did.
  long held() {
    return held;
  }

  /// The least load that failed; empty if none did.
  OptionalLong failed() {
    return failed == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(failed);
  }
}
