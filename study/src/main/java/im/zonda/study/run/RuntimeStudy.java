package im.zonda.study.run;

import im.zonda.json.JsonText;
import im.zonda.study.cell.VmOptions;
import im.zonda.study.jar.JarVariants;
import im.zonda.study.load.JmeterLoad;
import im.zonda.testkit.database.PostgresqlServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// The study of virtual machines and bytecode, with its database.
///
/// @param product the packaged product
/// @param tools the jars of JMeter, ProGuard and the Graal compiler
/// @param jmeter the jar that starts JMeter
/// @param homes the folders of the Java runtimes by their names, the study's own by the empty one
/// @param out the folder of the results
public record RuntimeStudy(
    Path product, List<Path> tools, Path jmeter, Map<String, Path> homes, Path out) {
  /// The file that says what was studied, and where.
  public static final String DESCRIPTION = "study.json";

  private static final String GRAAL = "/org/graalvm/";
  private static final String DATABASE = "study";

  /// Runs the cells that have no results, and writes theirs.
  ///
  /// @param description what the caller says of the study
  public void run(Study study, CellFile done, Map<String, Object> description, PrintWriter console)
      throws IOException {
    Path work = Files.createDirectories(out.resolve("work"));
    Path home = homes.getOrDefault("", Path.of(System.getProperty("java.home")));
    List<Path> programs = tools.stream().filter(jar -> !isGraal(jar)).toList();
    VmOptions options =
        VmOptions.read(product.resolve("jvm.options"), graal(work.resolve("graal")));
    JarVariants variants =
        new JarVariants(
            product.resolve("lib"),
            Files.createDirectories(work.resolve("jars")),
            home,
            programs.stream().filter(RuntimeStudy::isOfProguard).toList());
    List<Path> ofJmeter = new ArrayList<>(List.of(jmeter));
    programs.stream().filter(jar -> !isOfProguardAlone(jar)).forEach(ofJmeter::add);
    JmeterLoad load =
        new JmeterLoad(
            home.resolve("bin/java"), ofJmeter, Files.createDirectories(work.resolve("jmeter")));
    Path server = work.resolve("server-" + ProcessHandle.current().pid());
    Files.createDirectories(server);
    try (PostgresqlServer postgresql = PostgresqlServer.create()) {
      ServerFiles files = ServerFiles.make(server, product.resolve("web"), postgresql);
      try (Database database = Database.of(postgresql, DATABASE)) {
        describe(description);
        study.run(new CellRunner(files, database, variants, options, homes, load), done, console);
      }
    }
  }

  private void describe(Map<String, Object> description) throws IOException {
    Map<String, Object> all = new LinkedHashMap<>(description);
    Instant now = InstantSource.system().instant();
    all.put("started", now.toString());
    all.put("cpu", first(Path.of("/proc/cpuinfo"), "model name"));
    all.put("cores", Runtime.getRuntime().availableProcessors());
    all.put("memory", first(Path.of("/proc/meminfo"), "MemTotal"));
    all.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    all.put("java", System.getProperty("java.vm.name") + " " + Runtime.version());
    all.put("load-average", Files.readString(Path.of("/proc/loadavg")).strip());
    all.put(
        "huge-pages",
        Files.readString(Path.of("/proc/sys/vm/nr_hugepages")).strip()
            + " reserved; transparent: "
            + Files.readString(Path.of("/sys/kernel/mm/transparent_hugepage/enabled")).strip());
    Path file = out.resolve(DESCRIPTION);
    if (!Files.exists(file)) { // a study that goes on keeps the first one
      Files.writeString(file, JsonText.indented(all));
    }
  }

  private static String first(Path file, String name) throws IOException {
    return Files.readAllLines(file).stream()
        .filter(line -> line.startsWith(name))
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .findFirst()
        .orElse("unknown");
  }

  private static boolean isGraal(Path jar) {
    return jar.toString().contains(GRAAL);
  }

  private static boolean isOfProguard(Path jar) {
    String name = jar.toString().toLowerCase(Locale.ROOT);
    return isOfProguardAlone(jar)
        || name.contains("log4j-api")
        || name.contains("log4j-core")
        || name.contains("kotlin-stdlib")
        || name.contains("/gson/")
        || name.contains("/json/");
  }

  private static boolean isOfProguardAlone(Path jar) {
    String name = jar.toString().toLowerCase(Locale.ROOT);
    return name.contains("proguard") || name.contains("kotlin-metadata");
  }

  /// A folder with the modules of the Graal compiler alone.
  private Path graal(Path folder) throws IOException {
    Files.createDirectories(folder);
    for (Path jar : tools.stream().filter(RuntimeStudy::isGraal).toList()) {
      Files.copy(jar, folder.resolve(jar.getFileName()), StandardCopyOption.REPLACE_EXISTING);
    }
    return folder;
  }
}
