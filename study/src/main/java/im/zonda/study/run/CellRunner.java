package im.zonda.study.run;

import im.zonda.study.cell.Cell;
import im.zonda.study.cell.VmOptions;
import im.zonda.study.jar.JarVariants;
import im.zonda.study.load.DelayProxy;
import im.zonda.study.load.JmeterLoad;
import im.zonda.study.load.LoadPlan;
import im.zonda.study.load.OpenLoop;
import im.zonda.study.load.PageLoad;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// Runs cells. Each load has a process of its own, so that none is warmed up by another.
///
/// @param files the configuration of the servers
/// @param database what the servers read from
/// @param variants the jars
/// @param options the options of virtual machines
/// @param homes the folders of the Java runtimes by their names
/// @param jmeter makes the load of the document
record CellRunner(
    ServerFiles files,
    Database database,
    JarVariants variants,
    VmOptions options,
    Map<String, Path> homes,
    JmeterLoad jmeter) {
  private static final int BATCHES = 24;
  private static final int CACHE_MINUTES = 10;
  private static final String WARNING = "VM warning";

  /// With these options the virtual machine checks the classes of all jars.
  private static final List<String> VERIFY =
      List.of(
          "-XX:+UnlockDiagnosticVMOptions",
          "-XX:+BytecodeVerificationRemote",
          "-XX:+BytecodeVerificationLocal");

  /// Runs a cell: checks that it works, starts and stops it, and loads it.
  ///
  /// @param starts how often it is started and stopped
  /// @return the result, for a file; with `error` if the cell does not work
  Map<String, Object> run(Cell cell, int starts, List<LoadPlan> loads) {
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("cell", cell.name());
    result.put("factor", cell.factor());
    result.put("jars", cell.jars().folder());
    List<Object> measured = new ArrayList<>();
    try {
      Path home = homes.get(cell.vm().home());
      if (home == null) {
        throw new IOException("no Java runtime has the name " + cell.vm().home());
      }
      Path java = home.resolve("bin/java");
      List<Path> jars = JarVariants.jars(variants.make(cell.jars()));
      List<String> vm = new ArrayList<>(options.of(cell.vm()));
      result.put("options", List.copyOf(vm));
      if (cell.vm().cache()) {
        vm.addAll(makeCache(java, vm, jars));
      }
      check(java, vm, jars, result);
      List<String> command = PageHost.command(java, vm, jars, files);
      startAndStop(command, starts, result);
      for (LoadPlan load : loads) {
        measured.add(measure(command, load));
      }
    } catch (IOException e) {
      result.put("error", String.valueOf(e.getMessage()));
    }
    result.put("loads", measured);
    return result;
  }

  /// Starts the server once with verified classes and has it do a little of everything.
  private void check(Path java, List<String> vm, List<Path> jars, Map<String, Object> result)
      throws IOException {
    List<String> verified = new ArrayList<>(vm);
    // An AOT cache is not made for them.
    if (vm.stream().noneMatch(option -> option.startsWith("-XX:AOTCache"))) {
      verified.addAll(VERIFY);
    }
    try (PageHost host = PageHost.start(PageHost.command(java, verified, jars, files), files)) {
      SmokeTest.run(files);
      result.put("vm", String.valueOf(host.read("/study/memory").get("vm")));
      double _ = host.stop();
      result.put(
          "warnings",
          Files.readAllLines(host.log()).stream().filter(line -> line.contains(WARNING)).toList());
    }
  }

  private List<String> makeCache(Path java, List<String> vm, List<Path> jars) throws IOException {
    Path cache = files.folder().resolve("study.aot");
    Files.deleteIfExists(cache);
    List<String> options = new ArrayList<>(vm);
    options.add("-XX:AOTCacheOutput=" + cache);
    List<String> command = new ArrayList<>(PageHost.command(java, options, jars, files));
    command.add("--exit-when-ready");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(files.log().toFile())
            .start();
    try {
      if (!process.waitFor(CACHE_MINUTES, TimeUnit.MINUTES)) {
        process.destroyForcibly();
        throw new IOException("no AOT cache was made within " + CACHE_MINUTES + " min");
      }
      if (!Files.exists(cache)) {
        throw new IOException("no AOT cache was made: " + PageHost.firstError(files.log()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
    // The server does not start with a cache that it cannot use.
    return List.of("-XX:AOTCache=" + cache, "-XX:AOTMode=on");
  }

  private void startAndStop(List<String> command, int starts, Map<String, Object> result)
      throws IOException {
    List<Object> startMillis = new ArrayList<>();
    List<Object> startCpu = new ArrayList<>();
    List<Object> stopMillis = new ArrayList<>();
    for (int i = 0; i < starts; i++) {
      try (PageHost host = PageHost.start(command, files)) {
        startMillis.add(host.startMillis());
        startCpu.add((double) host.atStart().cpuMillis());
        stopMillis.add(host.stop());
      }
    }
    result.put("start-millis", startMillis);
    result.put("start-cpu-millis", startCpu);
    result.put("stop-millis", stopMillis);
  }

  private Map<String, Object> measure(List<String> command, LoadPlan plan) throws IOException {
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("load", plan.name());
    result.put("path", plan.path());
    try (PageHost host = PageHost.start(command, files)) {
      OpenLoop open = new OpenLoop(files.port(), plan.path());
      if (plan.warmUp() > 0) {
        ProcessFigures cold = host.figures();
        PageLoad first = open.run(plan.rate(), plan.warmUp());
        result.put("warm-up-average", first.samples().average());
        result.put("warm-up-jit-millis", host.figures().jitMillis() - cold.jitMillis());
      }
      Object _ = host.read("/study/pool");
      Map<String, Long> scans = database.scans();
      long databaseBefore = database.cpuMillis();
      ProcessFigures before = host.figures();
      PageLoad load = load(plan, open);
      ProcessFigures after = host.figures();
      result.putAll(times(load));
      double pages = load.samples().count();
      result.put("cpu-per-page-millis", (after.cpuMillis() - before.cpuMillis()) / pages);
      result.put("jit-millis", after.jitMillis() - before.jitMillis());
      result.put("gc-millis", after.gcMillis() - before.gcMillis());
      result.put("cpu-millis", after.cpuMillis() - before.cpuMillis());
      result.put("database-cpu-millis", database.cpuMillis() - databaseBefore);
      result.put("faults", after.faults() - before.faults());
      result.put("pool", host.read("/study/pool"));
      result.put("memory", host.read("/study/memory"));
      result.put("kilobytes", after.kilobytes());
      result.put("scans-per-page", perPage(scans, database.scans(), pages));
      double _ = host.stop();
    }
    return result;
  }

  private PageLoad load(LoadPlan plan, OpenLoop open) throws IOException {
    if (!plan.isJmeter()) {
      return open.run(plan.rate(), plan.samples());
    }
    if (plan.delay() == 0) {
      return jmeter.run(files.port(), plan.path(), plan.samples(), plan.timer());
    }
    try (DelayProxy network = new DelayProxy(files.port(), plan.delay())) {
      return jmeter.run(network.port(), plan.path(), plan.samples(), plan.timer());
    }
  }

  private static Map<String, Object> times(PageLoad load) {
    Map<String, Object> times = new LinkedHashMap<>();
    times.put("samples", load.samples().count());
    times.put("errors", load.errors());
    times.put("seconds", load.seconds());
    times.put("rate", load.rate());
    times.put("average", load.samples().average());
    times.put("least", load.samples().least());
    times.put("most", load.samples().most());
    times.put("p50", load.samples().percentile(0.5));
    times.put("p90", load.samples().percentile(0.9));
    times.put("p99", load.samples().percentile(0.99));
    times.put("trimmed", load.samples().trimmed());
    if (!Double.isNaN(load.lateMillis())) {
      times.put("late-p99", load.lateMillis());
    }
    List<Object> batches = new ArrayList<>();
    Arrays.stream(load.samples().batchMeans(BATCHES)).forEach(batches::add);
    times.put("batches", batches);
    return times;
  }

  private static Map<String, Object> perPage(
      Map<String, Long> before, Map<String, Long> after, double pages) {
    Map<String, Object> all = new LinkedHashMap<>();
    after.forEach((table, count) -> {
      double each = (count - before.getOrDefault(table, 0L)) / pages;
      if (each >= 0.05) { // the rest is the server's own work
        all.put(table, each);
      }
    });
    return all;
  }
}
