package im.zonda.study.report;

import im.zonda.json.JsonReader;
import im.zonda.json.JsonText;
import im.zonda.study.cell.Cell;
import im.zonda.study.cell.Jars;
import im.zonda.study.jar.JarVariants;
import im.zonda.study.run.CellFile;
import im.zonda.study.run.RuntimeStudy;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Writes the reports of a study: `report.html`, `report.md` and `report.json`.
public final class StudyReport {
  private static final List<String> MAIN =
      List.of(
          "c2-plain",
          "c2-stripped",
          "c2-optimised",
          "graal-plain",
          "graal-stripped",
          "graal-optimised");

  private static final List<String> NOT_HAD =
      List.of(
          "OpenJ9 (IBM's machine, the other one of 2003) is not run: builds of it are offered as"
              + " archives of its makers only. `--jvm openj9=PATH` adds a cell for one that is"
              + " there.",
          "R8 is not run: its jar is not in Maven Central.",
          "GraalVM's native image, CRaC and the JVMs of other makers are not run, for the same"
              + " reason.",
          "Retroguard, jopt and jarg do not read classes of today. ProGuard's cell `names` keeps"
              + " their contract.",
          "`javac -O` has no effect; `no-debug` is the document's `debug` off.",
          "The options of the document's machines are refused by that of today, and so are those of"
              + " 2010 (`-XX:+UseConcMarkSweepGC`).");

  private static final List<String> READING =
      List.of(
          "One sample of 65 s moves a mean of 9,600 by 6.8 ms. Medians, percentiles, trimmed means"
              + " and intervals stand beside means for that reason.",
          "At three pages a second a server is idle nearly all the time. The open loops at higher"
              + " rates show what machines differ in.",
          "JMeter waits for an answer before it asks again, so a pause of the server delays the"
              + " requests that would show it. The open loops count from when a page was due.",
          "With fewer than three rounds, intervals of averages are those within one process (of"
              + " parts of its time), and do not hold the difference between two starts: findings"
              + " have no verdict then.",
          "The address space (VSZ) of ZGC is reserved and not used.");

  private StudyReport() {}

  /// Writes the reports of the results in a folder, and says where they are.
  public static void write(Path folder, PrintWriter console) throws IOException {
    List<Map<String, @Nullable Object>> files = new CellFile(folder).readAll();
    if (files.isEmpty()) {
      throw new IOException(folder + " has no results of a study");
    }
    Path description = folder.resolve(RuntimeStudy.DESCRIPTION);
    Map<String, @Nullable Object> about =
        Files.exists(description)
            ? JsonReader.object(Files.readString(description))
            : new LinkedHashMap<>();
    Map<String, Object> jars = jars(folder);
    Page page = page(new Results(files), about, jars);
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("schema", 1);
    all.put("study", about);
    all.put("cells", files);
    all.put("jars", jars);
    Files.writeString(folder.resolve("report.json"), JsonText.indented(all));
    Files.writeString(folder.resolve("report.md"), page.markdown());
    Files.writeString(folder.resolve("report.html"), page.html());
    console.println("report: " + folder.resolve("report.html"));
    console.flush();
  }

  private static Page page(
      Results results, Map<String, @Nullable Object> about, Map<String, Object> jars) {
    Tables tables = new Tables(results);
    List<String> runs =
        results.loads(Cell.BASE).stream().filter(load -> load.startsWith("jmeter-")).toList();
    String medium = runs.isEmpty() ? "" : runs.getFirst();
    String large = runs.isEmpty() ? "" : runs.getLast();
    Findings findings = new Findings(results, medium);
    List<String> main = MAIN.stream().filter(results.cells()::contains).toList();
    List<String> further = results.cells().stream().filter(cell -> !MAIN.contains(cell)).toList();
    List<String> every = new ArrayList<>(main);
    every.addAll(further);
    Page page = new Page("Virtual machines and bytecode, 2003 and today");
    page.paragraph(about(about));
    page.heading("What of the document holds").list(findings.sentences());
    page.heading("In the document's form");
    page.paragraph(
        "Then: JBoss 3.2.0, a page of four servlets over four tables of PostgreSQL 7.3, 48 threads"
            + " of JMeter with waits up to 30 s (rows E1 to E6). Now: a Zonda server, a page of"
            + " four components over the tables `room`, `room_affiliation`, `account` and"
            + " `message` of PostgreSQL, by the server's own stores and HikariCP. Pools have no"
            + " limit that 48 threads could reach. Starts count until the first page.");
    List<List<String>> form = new ArrayList<>(Tables.then());
    form.addAll(tables.now(main));
    page.table(Tables.FORM, form);
    page.heading("Compared with " + Cell.BASE + " (E7, E8)");
    page.paragraph("Then, medium run: " + thenCompared(true) + " Long run: " + thenCompared(false));
    page.paragraph("Now, load " + medium + ", in percent with intervals of 95 %:");
    page.table(Tables.COMPARED, tables.compared(every, medium));
    if (!large.equals(medium)) {
      page.paragraph("Now, load " + large + ":");
      page.table(Tables.COMPARED, tables.compared(main, large));
    }
    page.heading("Reductions (E9 to E12)");
    page.table(Findings.REDUCTIONS, findings.reductions(large));
    page.heading("Start and stop (E14, E34)");
    page.picture(starts(results, every));
    page.table(Tables.STARTS, tables.starts(every));
    page.heading("What a page costs (E20)").table(Tables.COST, tables.cost(every));
    page.heading("Memory (E33), after " + medium)
        .table(Tables.MEMORY, tables.memory(every, medium));
    page.heading("What a page reads (E17)")
        .table(List.of("table", "scans a page"), scans(results, medium));
    addJars(page, jars);
    page.heading("Not run").list(NOT_HAD);
    page.heading("How to read this").list(READING);
    return page;
  }

  private static String about(Map<String, @Nullable Object> about) {
    StringBuilder text = new StringBuilder();
    for (String name :
        List.of("note", "cpu", "cores", "memory", "system", "java", "huge-pages", "load-average")) {
      Object value = about.get(name);
      if (value != null && !value.toString().isEmpty()) {
        text.append(text.isEmpty() ? "" : "; ").append(name).append(": ").append(value);
      }
    }
    return text
        + ". Waits of JMeter up to "
        + about.get("timer-millis")
        + " ms; rounds: "
        + about.get("rounds")
        + ". Command: `"
        + about.get("command")
        + "`";
  }

  /// The document's comparison with the first cell, computed again from its table.
  private static String thenCompared(boolean medium) {
    StringBuilder text = new StringBuilder();
    for (Then each : List.of(Then.SUN_OPTIMISED, Then.IBM, Then.IBM_OPTIMISED)) {
      double average = (medium ? each.medium() : each.large()).average();
      double base = (medium ? Then.SUN.medium() : Then.SUN.large()).average();
      text.append(text.isEmpty() ? "" : "; ")
          .append(each.cell())
          .append(": average ")
          .append(percent(average / base))
          .append(", VSZ ")
          .append(percent(each.virtualSize() / Then.SUN.virtualSize()))
          .append(", RSS ")
          .append(percent(each.resident() / Then.SUN.resident()));
    }
    return text.append('.').toString();
  }

  private static String percent(double ratio) {
    return String.format(java.util.Locale.ROOT, "%.2f %%", 100 * ratio);
  }

  private static String starts(Results results, List<String> cells) {
    List<Bars.Row> rows = new ArrayList<>();
    for (Then each : List.of(Then.SUN, Then.IBM, Then.SUN_OPTIMISED, Then.IBM_OPTIMISED)) {
      rows.add(new Bars.Row("then: " + each.cell(), each.start(), each.stop()));
    }
    for (String cell : cells) {
      if (results.works(cell)) {
        rows.add(
            new Bars.Row(
                cell,
                Results.mean(results.numbers(cell, "start-millis")) / 1e3,
                Results.mean(results.numbers(cell, "stop-millis")) / 1e3));
      }
    }
    return Bars.draw("Seconds to start and to stop", rows, "start", "stop", "s");
  }

  private static List<List<String>> scans(Results results, String load) {
    List<List<String>> rows = new ArrayList<>();
    results
        .numbersOf(Cell.BASE, load, "scans-per-page")
        .forEach((table, scans) -> rows.add(List.of(table, Numbers.of(scans))));
    return rows;
  }

  /// The tables of the jars of each variant that was made.
  private static Map<String, Object> jars(Path folder) throws IOException {
    Map<String, Object> all = new LinkedHashMap<>();
    for (Jars variant : Jars.values()) {
      Path file = folder.resolve("work/jars").resolve(variant.folder()).resolve(JarVariants.TABLE);
      if (variant != Jars.PLAIN && Files.exists(file)) {
        Map<String, @Nullable Object> read =
            JsonReader.object("{\"rows\":" + Files.readString(file) + "}");
        Object rows = read.get("rows");
        if (rows != null) {
          all.put(variant.folder(), rows);
        }
      }
    }
    return all;
  }

  private static void addJars(Page page, Map<String, Object> jars) {
    page.heading("Jars before and after (E28)");
    for (Jars variant : Jars.values()) {
      if (jars.get(variant.folder()) instanceof List<?> list) {
        List<List<String>> rows = new ArrayList<>();
        for (Object each : list) {
          if (each instanceof Map<?, ?> row) {
            rows.add(jarRow(row));
          }
        }
        page.paragraph(variant.folder() + ": " + variant.meaning());
        page.table(
            List.of("jar", "before, bytes", "after, bytes", "after, %", "classes", "kept", "s"),
            rows);
      }
    }
  }

  private static List<String> jarRow(Map<?, ?> row) {
    double before = number(row, "before");
    double after = number(row, "after");
    double classes = number(row, "classes");
    return List.of(
        String.valueOf(row.get("name")),
        Numbers.of(before),
        Numbers.of(after),
        Numbers.of(100 * after / before),
        classes < 0 ? Numbers.NONE : Numbers.of(classes),
        classes < 0 ? Numbers.NONE : Numbers.of(number(row, "kept")),
        Numbers.of(number(row, "seconds")));
  }

  private static double number(Map<?, ?> row, String name) {
    return row.get(name) instanceof Number number ? number.doubleValue() : Double.NaN;
  }
}
