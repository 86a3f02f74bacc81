package im.zonda.study.cell;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The options of the virtual machine of a cell.
///
/// @param shipped those of the product, without comments
/// @param graal the folder of the modules of the Graal compiler
public record VmOptions(List<String> shipped, Path graal) {
  /// Options of the product that belong to G1.
  private static final List<String> OF_G1 =
      List.of("-XX:+UseG1GC", "-XX:-G1", "-XX:G1", "-XX:InitiatingHeapOccupancyPercent");

  /// Options of the product on the size of the heap.
  private static final List<String> OF_HEAP =
      List.of("-XX:MaxNewSize", "-XX:InitialHeapSize", "-XX:GCTimeRatio");

  private static final String COMPACT_HEADERS = "-XX:+UseCompactObjectHeaders";

  /// Copies the list.
  public VmOptions {
    shipped = List.copyOf(shipped);
  }

  /// Reads those of the product.
  ///
  /// @param file its `jvm.options`
  public static VmOptions read(Path file, Path graal) throws IOException {
    List<String> lines =
        Files.readAllLines(file).stream()
            .map(String::strip)
            .filter(line -> line.startsWith("-"))
            .toList();
    return new VmOptions(lines, graal);
  }

  /// The options of a cell, without those of its AOT cache.
  public List<String> of(Vm vm) {
    List<String> options = new ArrayList<>();
    for (String option : shipped) {
      boolean goes =
          (vm.collector() != Collector.SHIPPED && isOf(OF_G1, option))
              || (vm.collector() == Collector.G1 && isOf(OF_HEAP, option))
              || (!vm.compactHeaders() && option.equals(COMPACT_HEADERS));
      if (!goes) {
        options.add(option);
      }
    }
    if (!vm.compactHeaders()) {
      options.add("-XX:-UseCompactObjectHeaders");
    }
    options.addAll(collector(vm.collector()));
    options.addAll(compilers(vm.jit()));
    switch (vm.pages()) {
      case SMALL -> {}
      case TRANSPARENT -> options.add("-XX:+UseTransparentHugePages");
      case RESERVED -> options.add("-XX:+UseLargePages");
    }
    return options;
  }

  private static boolean isOf(List<String> beginnings, String option) {
    return beginnings.stream().anyMatch(option::startsWith);
  }

  private static List<String> collector(Collector collector) {
    return switch (collector) {
      case SHIPPED -> List.of();
      case G1 -> List.of("-XX:+UseG1GC");
      case SERIAL -> List.of("-XX:+UseSerialGC");
      case PARALLEL -> List.of("-XX:+UseParallelGC");
      case ZGC -> List.of("-XX:+UseZGC");
      case SHENANDOAH -> List.of("-XX:+UseShenandoahGC", "-XX:ShenandoahGCMode=generational");
    };
  }

  /// Threads of compilers do not end, so that their CPU time can be read at the end.
  private List<String> compilers(Jit jit) {
    String threads = "-XX:-UseDynamicNumberOfCompilerThreads";
    return switch (jit) {
      case C2 -> List.of(threads);
      case C1 -> List.of(threads, "-XX:TieredStopAtLevel=1");
      case GRAAL ->
          List.of(
              threads,
              "-XX:+UnlockExperimentalVMOptions",
              "-XX:+EnableJVMCI",
              "-XX:+UseJVMCICompiler",
              "--upgrade-module-path=" + graal);
    };
  }
}
