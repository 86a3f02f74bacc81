package im.zonda.console.chart;

import im.zonda.console.chart.ChartDefinition.Line;
import im.zonda.console.view.Cell;
import im.zonda.console.view.Column;
import im.zonda.console.view.Fact;
import im.zonda.console.view.Link;
import im.zonda.console.view.Section;
import im.zonda.console.view.Table;
import im.zonda.console.view.Tone;
import im.zonda.operation.Operation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The database, and the caches before it.
record CachesTopic() implements Topic {
  private static final String STATUS = "server.status";
  private static final String LIST = "cache.list";
  private static final String SIZES = "store.sizes";
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
  public Topic.Saying saying(Inquiry inquiry, Steps steps) {
    Map<String, @Nullable Object> status =
        inquiry.may(STATUS) ? inquiry.data(STATUS, Map.of()) : null;
    Map<?, ?> database = status == null ? Map.of() : PlainData.member(status, "database");
    if (Boolean.FALSE.equals(database.get("storing"))) {
      return new Topic.Saying(
          Tone.BAD, inquiry.text("health.database", PlainData.string(database, "reason")));
    }
    double commits = LoadTopic.last(steps, Charts.COMMITS, 0);
    double late = LoadTopic.last(steps, Charts.COMMIT, 1);
    return new Topic.Saying(
        Tone.GOOD,
        late > 0
            ? inquiry.text(
                "caches.sentence",
                Unit.RATE.inSentence(inquiry.values(), commits),
                Unit.SECONDS.text(inquiry.values(), late))
            : inquiry.text("caches.quiet"));
  }

  @Override
  public List<String> actions() {
    return List.of("cache.clear");
  }

  @Override
  public List<Section> sections(Inquiry inquiry, Steps steps) {
    List<Section> sections = new ArrayList<>();
    if (inquiry.may(STATUS)) {
      Map<String, @Nullable Object> status = inquiry.data(STATUS, Map.of());
      if (status != null) {
        sections.add(database(inquiry, status));
      }
    }
    if (inquiry.may(SIZES)) {
      Map<String, @Nullable Object> sizes = inquiry.data(SIZES, Map.of());
      if (sizes != null) {
        sections.addAll(hosts(inquiry, sizes));
      }
    }
    if (inquiry.may(LIST)) {
      sections.add(caches(inquiry, steps));
    }
    return sections;
  }

  private static Section database(Inquiry inquiry, Map<String, @Nullable Object> status) {
    Map<?, ?> database = PlainData.member(status, "database");
    Map<?, ?> log = PlainData.member(status, "log");
    Object last = log.get("lastCommit");
    return Section.of(
        inquiry.text("caches.database"),
        List.of(
            fact(inquiry, "product", Cell.of(PlainData.string(database, "product"))),
            fact(inquiry, "database", Cell.of(PlainData.string(database, "name"))),
            fact(
                inquiry,
                "commits",
                Cell.of(inquiry.values().number(PlainData.number(log, "commits")))),
            fact(
                inquiry,
                "failures",
                Cell.of(inquiry.values().number(PlainData.number(log, "failures")))),
            fact(
                inquiry,
                "last-commit",
                last == null
                    ? Cell.of("")
                    : inquiry.values().time(Instant.parse(last.toString())))));
  }

  private static List<Section> hosts(Inquiry inquiry, Map<String, @Nullable Object> sizes) {
    String title = inquiry.text("caches.hosts");
    Object measured = sizes.get("measured");
    if (measured == null) {
      return List.of(Section.note(title, inquiry.text("caches.unmeasured")));
    }
    boolean estimated = Boolean.TRUE.equals(sizes.get("estimated"));
    List<List<Cell>> rows = new ArrayList<>();
    for (Map<?, ?> each : PlainData.list(sizes, "hosts")) {
      rows.add(
          List.of(
              Cell.of(PlainData.string(each, "host")),
              number(inquiry, each, "messages"),
              size(inquiry, each, "bytes"),
              number(inquiry, each, "accounts"),
              number(inquiry, each, "rooms"),
              number(inquiry, each, "files"),
              size(inquiry, each, "fileBytes")));
    }
    List<Column> columns =
        List.of(
            new Column(inquiry.text("column.host"), false),
            new Column(inquiry.text("column.messages"), true),
            new Column(inquiry.text("column.message-bytes"), true),
            new Column(inquiry.text("column.accounts"), true),
            new Column(inquiry.text("column.rooms"), true),
            new Column(inquiry.text("column.files"), true),
            new Column(inquiry.text("column.file-bytes"), true));
    String note =
        inquiry.text(
            estimated ? "caches.estimated" : "caches.measured",
            inquiry.values().time(Instant.parse(measured.toString())).text());
    List<Link> links =
        sizes.get("next") == null
            ? List.of()
            : List.of(Link.to(inquiry.text("caches.all-hosts"), "/admin/do/" + SIZES));
    return List.of(
        Section.note(title, note),
        Section.of("", new Table(columns, rows), inquiry.text("empty.list")).with(links));
  }

  private static Cell number(Inquiry inquiry, Map<?, ?> host, String name) {
    return Cell.ofNumber(inquiry.values().number(PlainData.number(host, name)));
  }

  private static Cell size(Inquiry inquiry, Map<?, ?> host, String name) {
    return Cell.ofNumber(inquiry.values().size(PlainData.number(host, name)));
  }

  private static Fact fact(Inquiry inquiry, String text, Cell value) {
    return new Fact(inquiry.text("column." + text), value);
  }

  private static Section caches(Inquiry inquiry, Steps steps) {
    List<Map<?, ?>> all = PlainData.list(inquiry.data(LIST, Map.of()), "caches");
    boolean nodes = all.stream().anyMatch(each -> each.get(Operation.NODE) != null);
    List<List<Cell>> rows = new ArrayList<>();
    for (Map<?, ?> each : all) {
      List<Cell> row = new ArrayList<>(row(inquiry, steps, each));
      if (nodes) {
        row.addFirst(Cell.of(PlainData.string(each, Operation.NODE)));
      }
      rows.add(row);
    }
    List<Column> columns = new ArrayList<>();
    if (nodes) {
      columns.add(new Column(inquiry.text("column.node"), false));
    }
    columns.addAll(
        List.of(
            new Column(inquiry.text("column.name"), false),
            new Column(inquiry.text("column.size"), true),
            new Column(inquiry.text("column.full"), true),
            new Column(inquiry.text("column.entries"), true),
            new Column(inquiry.text("column.hit-rate"), true),
            new Column(inquiry.text("column.hits"), false),
            new Column(inquiry.text("column.load-time"), true),
            new Column(inquiry.text("column.evictions"), true),
            new Column(inquiry.text("column.lately"), false)));
    return Section.of(
        inquiry.text("caches.caches"), new Table(columns, rows), inquiry.text("empty.list"));
  }

  private static List<Cell> row(Inquiry inquiry, Steps steps, Map<?, ?> cache) {
    String name = PlainData.string(cache, "name");
    long bytes = PlainData.number(cache, "bytes");
    long bound = PlainData.number(cache, "bound");
    long hits = PlainData.number(cache, "hits");
    long misses = PlainData.number(cache, "misses");
    double load = misses == 0 ? 0 : PlainData.number(cache, "loadMicros") * MICRO / misses;
    return List.of(
        Cell.of(name),
        Cell.ofNumber(inquiry.values().size(bytes) + " / " + inquiry.values().size(bound)),
        Cell.ofNumber(percent(inquiry, bytes, bound)),
        Cell.ofNumber(inquiry.values().number(PlainData.number(cache, "entries"))),
        Cell.ofNumber(percent(inquiry, hits, hits + misses)),
        spark(steps, HITS, name),
        Cell.ofNumber(misses == 0 ? "" : Unit.SECONDS.text(inquiry.values(), load)),
        Cell.ofNumber(inquiry.values().number(PlainData.number(cache, "evictions"))),
        spark(steps, EVICTIONS, name));
  }

  private static Cell spark(Steps steps, String metric, String cache) {
    Line line = new Line(metric, "cache=\"" + cache + "\"", "rate", "");
    return Cell.of(Sparklines.of(steps.of(line), Unit.RATE));
  }

  private static String percent(Inquiry inquiry, long part, long all) {
    return all == 0
        ? ""
        : String.format(
            Locale.of(inquiry.values().language().code()), "%.1f %%", part * HUNDRED / all);
  }
}
