package im.zonda.app.doctor.machine;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Facts of the machine. Sizes in bytes; null for what is not known.
///
/// @param memory memory of the machine
/// @param memoryLimit the limit of this process's control group (cgroup v2); null also if there is
///   none
/// @param swap the size of the swap
/// @param swappiness `vm.swappiness`
/// @param hugePages when memory is given in huge pages: `always`, `madvise` or `never`
/// @param backlog `net.core.somaxconn`, the most connections that wait to be accepted
/// @param firstFreePort the first port that needs no permission
/// @param synchronised whether the clock is synchronised
/// @param timeServices programs that run and synchronise clocks
public record MachineFacts(
    @Nullable Long memory,
    @Nullable Long memoryLimit,
    @Nullable Long swap,
    @Nullable Long swappiness,
    @Nullable String hugePages,
    @Nullable Long backlog,
    @Nullable Long firstFreePort,
    @Nullable Boolean synchronised,
    List<String> timeServices) {
  /// Copies the list.
  public MachineFacts {
    timeServices = List.copyOf(timeServices);
  }
}
