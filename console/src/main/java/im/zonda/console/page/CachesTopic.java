package im.zonda.console.page;

import im.zonda.console.chart.ChartDefinition.Line;
import im.zonda.console.chart.Charts;
import im.zonda.console.chart.Sparklines;
import im.zonda.console.chart.Steps;
import im.zonda.console.chart.Unit;
import im.zonda.console.view.Cell;
import im.zonda.console.view.Column;
import im.zonda.console.view.Fact;
import im.zonda.console.view.Section;
import im.zonda.console.view.Table;
import im.zonda.console.view.Tone;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The database, and the caches before it.
record CachesTopic() implements ChartPage.Topic {
  private static final String LIST = "cache.list";
  private static final String HITS = "zonda_cache_hits_total";
  private static final String EVICTIONS = "zonda_cache_evictions_total";
  private static final double HUNDRED = 100;
  private static final double MICRO = 1e-6;

  @Override
  public String word() {
    return "caches";
  }

  @Override
  public List<Charts.Group> groups() {
    return Charts.STORE;
  }

  @Override
  public List<String> metrics() {
    List<String> metrics = new ArrayList<>(Charts.metrics(groups()));
    metrics.add(HITS);
    metrics.add(EVICTIONS);
    return metrics;
  }

  @Override
  public ChartPage.Saying saying(Desk desk, Steps steps) {
    Map<String, @Nullable Object> status =
        desk.may(Health.STATUS) ? desk.data(Health.STATUS, Map.of()) : null;
    Map<?, ?> database = status == null ? Map.of() : Health.member(status, "database");
    if (Boolean.FALSE.equals(database.get("storing"))) {
      return new ChartPage.Saying(
          Tone.BAD, desk.text("health.database", Health.string(database, "reason")));
    }
    double commits = LoadTopic.last(steps, Charts.COMMITS, 0);
    double late = LoadTopic.last(steps, Charts.COMMIT, 1);
    return new ChartPage.Saying(
        Tone.GOOD,
        late > 0
            ? desk.text(
                "caches.sentence",
                Unit.RATE.inSentence(desk.values(), commits),
                Unit.SECONDS.text(desk.values(), late))
            : desk.text("caches.quiet"));
  }

  @Override
  public List<Section> sections(Desk desk, Steps steps) {
    List<Section> sections = new ArrayList<>();
    if (desk.may(Health.STATUS)) {
      Map<String, @Nullable Object> status = desk.data(Health.STATUS, Map.of());
      if (status != null) {
        sections.add(database(desk, status));
      }
    }
    if (desk.may(LIST)) {
      sections.add(caches(desk, steps));
    }
    return sections;
  }

  private static Section database(Desk desk, Map<String, @Nullable Object> status) {
    Map<?, ?> database = Health.member(status, "database");
    Map<?, ?> log = Health.member(status, "log");
    Object last = log.get("lastCommit");
    return Section.of(
        desk.text("caches.database"),
        List.of(
            fact(desk, "product", Cell.of(Health.string(database, "product"))),
            fact(desk, "database", Cell.of(Health.string(database, "name"))),
            fact(desk, "commits", Cell.of(desk.values().number(Health.number(log, "commits")))),
            fact(desk, "failures", Cell.of(desk.values().number(Health.number(log, "failures")))),
            fact(
                desk,
                "last-commit",
                last == null ? Cell.of("") : desk.values().time(Instant.parse(last.toString())))));
  }

  private static Fact fact(Desk desk, String text, Cell value) {
    return new Fact(desk.text("column." + text), value);
  }

  private static Section caches(Desk desk, Steps steps) {
    List<List<Cell>> rows = new ArrayList<>();
    for (Map<?, ?> each : Health.list(desk.data(LIST, Map.of()), "caches")) {
      rows.add(row(desk, steps, each));
    }
    List<Column> columns =
        List.of(
            new Column(desk.text("column.name"), false),
            new Column(desk.text("column.size"), true),
            new Column(desk.text("column.full"), true),
            new Column(desk.text("column.entries"), true),
            new Column(desk.text("column.hit-rate"), true),
            new Column(desk.text("column.hits"), false),
            new Column(desk.text("column.load-time"), true),
            new Column(desk.text("column.evictions"), true),
            new Column(desk.text("column.lately"), false));
    return Section.of(desk.text("caches.caches"), new Table(columns, rows), desk.text("empty.list"))
        .with(Pages.actions(desk, List.of("cache.clear"), Map.of(), Places.FOLDER + "caches"));
  }

  private static List<Cell> row(Desk desk, Steps steps, Map<?, ?> cache) {
    String name = Health.string(cache, "name");
    long bytes = Health.number(cache, "bytes");
    long bound = Health.number(cache, "bound");
    long hits = Health.number(cache, "hits");
    long misses = Health.number(cache, "misses");
    double load = misses == 0 ? 0 : Health.number(cache, "loadMicros") * MICRO / misses;
    return List.of(
        Cell.of(name),
        Cell.ofNumber(desk.values().size(bytes) + " / " + desk.values().size(bound)),
        Cell.ofNumber(percent(desk, bytes, bound)),
        Cell.ofNumber(desk.values().number(Health.number(cache, "entries"))),
        Cell.ofNumber(percent(desk, hits, hits + misses)),
        spark(steps, HITS, name),
        Cell.ofNumber(misses == 0 ? "" : Unit.SECONDS.text(desk.values(), load)),
        Cell.ofNumber(desk.values().number(Health.number(cache, "evictions"))),
        spark(steps, EVICTIONS, name));
  }

  private static Cell spark(Steps steps, String metric, String cache) {
    Line line = new Line(metric, "cache=\"" + cache + "\"", "rate", "");
    return Cell.of(Sparklines.of(steps.of(line), Unit.RATE));
  }

  private static String percent(Desk desk, long part, long all) {
    return all == 0
        ? ""
        : String.format(Locale.of(desk.visit().language().code()), "%.1f %%", part * HUNDRED / all);
  }
}
