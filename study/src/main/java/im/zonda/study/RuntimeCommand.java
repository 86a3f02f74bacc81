package im.zonda.study;

import im.zonda.study.cell.Cell;
import im.zonda.study.cell.Matrix;
import im.zonda.study.load.LoadPlan;
import im.zonda.study.page.PageModule;
import im.zonda.study.report.StudyReport;
import im.zonda.study.run.CellFile;
import im.zonda.study.run.RuntimeStudy;
import im.zonda.study.run.Study;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `zonda study runtime`.
@Command(
    name = "runtime",
    mixinStandardHelpOptions = true,
    description = {
      "Compares virtual machines and kinds of bytecode by a page of four components over four"
          + " tables, as a study of 2003 did.",
      "The database is a PostgreSQL server that the study starts itself."
    })
final class RuntimeCommand implements Callable<Integer> {
  private static final int QUICK_TIMER = 1_000;
  private static final int FULL_TIMER = 30_000;

  @Spec private CommandSpec spec;

  @Option(
      names = "--full",
      description = "the waits of the document, up to 30 s; ten starts; three rounds: many hours")
  private boolean full;

  @Option(names = "--quick", description = "waits up to 1 s; three starts; one round (usual)")
  private boolean quick;

  @Option(
      names = "--samples",
      split = ",",
      defaultValue = "4800,9600",
      paramLabel = "N",
      description = "samples of JMeter, the first number for all cells (usual: ${DEFAULT-VALUE})")
  private List<Integer> samples = List.of();

  @Option(
      names = "--rates",
      split = ",",
      defaultValue = "3,100,1000",
      paramLabel = "N",
      description = "pages a second of the open loops (usual: ${DEFAULT-VALUE})")
  private List<Double> rates = List.of();

  @Option(names = "--seconds", paramLabel = "N", description = "length of an open loop")
  private int seconds;

  @Option(names = "--starts", paramLabel = "N", description = "starts and stops of each cell")
  private int starts;

  @Option(names = "--rounds", paramLabel = "N", description = "how often all cells run")
  private int rounds;

  @Option(
      names = "--cells",
      split = ",",
      paramLabel = "CELL",
      description = "only these, and c2-plain (--dry-run lists all)")
  private List<String> only = List.of();

  @Option(
      names = "--network-delay",
      paramLabel = "MS",
      description = "a further load of the first six cells, over a network of that delay each way")
  private int networkDelay;

  @Option(
      names = "--jvm",
      paramLabel = "NAME=PATH",
      description = "a further cell on that Java runtime")
  private Map<String, Path> homes = new LinkedHashMap<>();

  @Option(
      names = "--out",
      paramLabel = "FOLDER",
      defaultValue = "study-results",
      description = "for the results (usual: ${DEFAULT-VALUE})")
  private Path out = Path.of("");

  @Option(names = "--resume", description = "go on with what is in the folder")
  private boolean resume;

  @Option(names = "--dry-run", description = "only list the cells and their minutes")
  private boolean dryRun;

  @Option(names = "--report", description = "only write the reports of the folder again")
  private boolean reportOnly;

  @Option(
      names = "--note",
      paramLabel = "TEXT",
      defaultValue = "",
      description = "a sentence for the report, such as what else the machine did")
  private String note = "";

  // Given by the launcher.
  @Option(names = "--product", hidden = true)
  private @Nullable Path product;

  @Option(names = "--tools", hidden = true)
  private @Nullable Path tools;

  @Option(names = "--jmeter", hidden = true)
  private @Nullable Path jmeter;

  @Option(names = "--command", hidden = true, defaultValue = "")
  private String command = "";

  private RuntimeCommand() {
    this.spec = CommandSpec.create();
  }

  @Override
  public Integer call() throws IOException {
    PrintWriter console = spec.commandLine().getOut();
    CellFile done = new CellFile(out.toAbsolutePath());
    Study study = study();
    if (reportOnly) {
      StudyReport.write(out.toAbsolutePath(), console);
      return 0;
    }
    if (!resume && !done.readAll().isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), out + " has results of a study: --resume goes on with it");
    }
    study.print(console, done);
    if (dryRun) {
      return 0;
    }
    Path home = Path.of(System.getProperty("java.home"));
    Map<String, Path> all = new LinkedHashMap<>(homes);
    all.put("", home);
    RuntimeStudy runtime =
        new RuntimeStudy(
            given(product, "--product"),
            classPath(given(tools, "--tools")),
            given(jmeter, "--jmeter"),
            all,
            out.toAbsolutePath());
    runtime.run(study, done, description(), console);
    StudyReport.write(out.toAbsolutePath(), console);
    return 0;
  }

  private Map<String, Object> description() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("command", command);
    all.put("note", note);
    all.put("timer-millis", full ? FULL_TIMER : QUICK_TIMER);
    all.put("rounds", rounds());
    all.put("starts", starts());
    return all;
  }

  private int rounds() {
    return rounds > 0 ? rounds : full ? 3 : 1;
  }

  private int starts() {
    return starts > 0 ? starts : full ? 10 : 3;
  }

  private Study study() {
    if (full && quick) {
      throw new ParameterException(spec.commandLine(), "--full and --quick exclude each other");
    }
    for (int count : samples) {
      if (count < 48 || count % 48 != 0) {
        throw new ParameterException(
            spec.commandLine(), "--samples " + count + " is no multiple of the 48 threads");
      }
    }
    List<Cell> cells = new ArrayList<>(Matrix.cells(homes.keySet()));
    for (String name : only) {
      if (cells.stream().noneMatch(cell -> cell.name().equals(name))) {
        throw new ParameterException(spec.commandLine(), "there is no cell " + name);
      }
    }
    cells.removeIf(
        cell -> !only.isEmpty() && !only.contains(cell.name()) && !cell.name().equals(Cell.BASE));
    int timer = full ? FULL_TIMER : QUICK_TIMER;
    int length = seconds > 0 ? seconds : full ? 60 : 20;
    List<LoadPlan> main = new ArrayList<>(LoadPlan.ofPage(samples, timer, rates, length));
    int count = samples.getFirst();
    main.add(LoadPlan.jmeter("start-page", "/", count, QUICK_TIMER));
    if (networkDelay > 0) {
      main.add(main.getFirst().delayed(networkDelay));
    }
    List<LoadPlan> floor =
        List.of(
            LoadPlan.jmeter("empty", PageModule.EMPTY, count, QUICK_TIMER),
            LoadPlan.jmeter("one-query", PageModule.ONE, count, QUICK_TIMER));
    List<LoadPlan> further = LoadPlan.ofPage(List.of(count), QUICK_TIMER, rates, length);
    return new Study(cells, new Study.Loads(main, floor, further), starts(), rounds());
  }

  private Path given(@Nullable Path path, String option) {
    if (path == null) {
      throw new ParameterException(
          spec.commandLine(), option + " is missing: ./zonda study passes it");
    }
    return path.toAbsolutePath();
  }

  private static List<Path> classPath(Path file) throws IOException {
    return Arrays.stream(Files.readString(file).strip().split(":", -1)).map(Path::of).toList();
  }
}
