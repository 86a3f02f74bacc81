package im.zonda.app.doctor.machine;

import im.zonda.app.finding.Finding;
import im.zonda.app.status.ByteCount;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Checks of the machine.
public final class MachineChecks {
  /// Connections that wait to be accepted, as many as the server asks for.
  private static final long BACKLOG = 4_096;

  private static final long MAX_SWAPPINESS = 10;

  /// Files that the server needs beside connections: database, logs, jars.
  private static final long OTHER_FILES = 1_024;

  private static final long LEAST_FILES = 4_096;
  private static final String SERVICE = "in zonda.service, section [Service]: ";

  private MachineChecks() {}

  /// The limit of open files against the connections that need no login.
  ///
  /// @param connections the most connections that are not authenticated
  static Finding openFiles(ProcessFacts process, long connections) {
    Long most = process.openFiles();
    if (most == null) {
      return Finding.unknown("open files", "the limit of this process cannot be read");
    }
    String who = process.isServer() ? "the server" : "a program started here";
    long wanted = connections + OTHER_FILES;
    String advice = SERVICE + "LimitNOFILE=" + Math.max(65_536, Long.highestOneBit(wanted) * 2);
    if (most < LEAST_FILES) {
      return Finding.problem(
          "open files", who + " may open only " + most + " files; each connection is one", advice);
    }
    if (most < wanted) {
      return Finding.warning(
          "open files",
          who
              + " may open "
              + most
              + " files, but limits allow "
              + connections
              + " connections before anyone has logged in",
          advice);
    }
    return Finding.ok(
        "open files",
        who
            + (most == Long.MAX_VALUE ? " may open any number of" : " may open " + most)
            + " files");
  }

  /// The queue of connections that wait to be accepted.
  static Finding backlog(MachineFacts machine) {
    Long most = machine.backlog();
    if (most == null) {
      return Finding.unknown("backlog", "net.core.somaxconn cannot be read");
    }
    return most < BACKLOG
        ? Finding.warning(
            "backlog",
            most
                + " connections at most wait to be accepted: when many clients come back at once,"
                + " some are refused",
            sysctl("net.core.somaxconn", BACKLOG))
        : Finding.ok("backlog", most + " connections may wait to be accepted");
  }

  private static String sysctl(String key, long value) {
    return "echo '"
        + key
        + " = "
        + value
        + "' | sudo tee -a /etc/sysctl.d/90-zonda.conf && sudo sysctl --system";
  }

  /// Swap, and what of the server is in it.
  static Finding swap(MachineFacts machine, ProcessFacts process) {
    Long size = machine.swap();
    if (size == null) {
      return Finding.unknown("swap", "/proc/meminfo cannot be read");
    }
    if (size == 0) {
      return Finding.ok("swap", "there is none");
    }
    Long swappiness = machine.swappiness();
    Long swapped = process.isServer() ? process.swapped() : null;
    String advice = sysctl("vm.swappiness", 1);
    if (swapped != null && swapped > 0) {
      return Finding.warning(
          "swap",
          ByteCount.text(swapped)
              + " of the server are in the swap: everybody waits while it is read back",
          advice,
          SERVICE + "MemorySwapMax=0");
    }
    if (swappiness == null) {
      return Finding.unknown("swap", "vm.swappiness cannot be read");
    }
    return swappiness > MAX_SWAPPINESS
        ? Finding.warning(
            "swap",
            "vm.swappiness is "
                + swappiness
                + ": memory of an idle server is moved to the swap, and everybody waits when it is"
                + " read back",
            advice)
        : Finding.ok(
            "swap",
            ByteCount.text(size) + ", used only when needed (vm.swappiness " + swappiness + ")");
  }

  /// Transparent huge pages.
  static Finding hugePages(MachineFacts machine) {
    String chosen = machine.hugePages();
    if (chosen == null) {
      return Finding.unknown("huge pages", "the kernel does not say");
    }
    return chosen.equals("always")
        ? Finding.warning(
            "huge pages",
            "the kernel makes huge pages for every program: the server uses more memory, and"
                + " stops at times while pages are joined",
            "echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled",
            "to keep it after a restart of the machine: the kernel's option"
                + " transparent_hugepage=madvise")
        : Finding.ok("huge pages", "transparent_hugepage is " + chosen);
  }

  /// The clock, which ids of messages and the validity of certificates depend on.
  static Finding clock(MachineFacts machine) {
    Boolean synchronised = machine.synchronised();
    String services = String.join(", ", machine.timeServices());
    String by =
        services.isEmpty() ? "" : "; " + services + (services.contains(",") ? " run" : " runs");
    if (synchronised == null) {
      return Finding.unknown("clock", "the kernel does not say whether it is synchronised" + by);
    }
    if (synchronised) {
      return Finding.ok("clock", "it is synchronised" + by);
    }
    return services.isEmpty()
        ? Finding.warning(
            "clock",
            "it is not synchronised, and no time service runs here: messages get wrong times",
            "sudo apt install chrony",
            "or: sudo timedatectl set-ntp true")
        : Finding.warning(
            "clock",
            "it is not synchronised although a time service runs" + by + ": it may reach no server",
            "timedatectl timesync-status",
            "or: chronyc tracking");
  }

  /// The memory that the process may use.
  static Finding memory(MachineFacts machine, ProcessFacts process) {
    Long limit = machine.memoryLimit();
    Long memory = smaller(limit, machine.memory());
    if (memory == null) {
      return Finding.unknown("memory", "neither /proc/meminfo nor a control group can be read");
    }
    String of = limit == null ? "this machine has " : "the limit of this container or service is ";
    long heap = process.java().heap();
    // Outside the heap: code, threads, buffers of the network and pages of SQLite.
    long outside = 256L << 20;
    String text =
        of + ByteCount.text(memory) + ", the heap is " + ByteCount.text(heap) + " at most";
    if (heap > memory) {
      return Finding.problem(
          "memory",
          text + ": the kernel ends the server before the heap is full",
          heapAdvice(memory / 2));
    }
    if (heap + outside > memory) {
      return Finding.warning(
          "memory",
          text + ", and " + ByteCount.text(outside) + " beside it are needed",
          heapAdvice(memory / 2));
    }
    return Finding.ok("memory", text);
  }

  /// An option for half of it.
  static String heapAdvice(long bytes) {
    return SERVICE + "Environment=ZONDA_JAVA_OPTS=-Xmx" + Math.max(64, bytes >> 20) + "m";
  }

  private static @Nullable Long smaller(@Nullable Long one, @Nullable Long other) {
    return one == null ? other : other == null ? one : (Long) Math.min(one, other);
  }

  /// All of them.
  public static List<Finding> all(MachineFacts machine, ProcessFacts process, long connections) {
    return List.of(
        openFiles(process, connections),
        backlog(machine),
        swap(machine, process),
        hugePages(machine),
        clock(machine),
        memory(machine, process));
  }
}
