package im.zonda.plugins.filter;

import im.zonda.plugin.FilterPoint;
import im.zonda.plugin.Plugin;
import im.zonda.plugin.PluginContext;
import im.zonda.plugins.filter.rule.RuleFolder;
import im.zonda.plugins.filter.rule.RuleFolder.Contents;
import im.zonda.plugins.filter.rule.RuleProblem;
import im.zonda.plugins.filter.rule.RuleSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The plugin.
public final class ContentFilter implements Plugin {
  /// What was read at last.
  ///
  /// @param rules the rules that count
  /// @param contents the files
  /// @param time when
  record Loaded(RuleSet rules, Contents contents, Instant time) {}

  private @Nullable Running running;

  /// What a start has made.
  private record Running(
      PluginContext context, MessageFilter filter, Reports reports, Path folder, Duration period) {}

  private @Nullable RuleFolder rules;
  private volatile @Nullable Loaded loaded;

  @Override
  public void start(PluginContext context) throws IOException {
    Path folder = context.settings().path("rules");
    Files.createDirectories(folder);
    Duration period = context.settings().duration("look-every");
    FilterCounts counts = new FilterCounts(context);
    Reports reports = new Reports(context);
    MessageFilter filter = new MessageFilter(context, counts, reports);
    Running started = new Running(context, filter, reports, folder, period);
    running = started;
    rules = new RuleFolder(folder);
    look(started, counts);
    for (FilterPoint point : FilterPoint.values()) {
      context.onMessage(point, filter);
    }
    new FilterOperations(filter, counts, () -> loaded).offer(context);
    context.gauge("rules", "rules that count", () -> filter.rules().rules().size());
    context.gauge("problems", "problems in the files of the rules", this::problems);
    context.every(period, period, () -> look(started, counts));
  }

  private long problems() {
    Loaded now = loaded;
    return now == null ? 0 : now.contents.problems().size();
  }

  private void look(Running started, FilterCounts counts) {
    started.reports.flush();
    started.filter.useHosts(started.context.hosts());
    RuleFolder files = rules;
    Contents contents = files == null ? null : files.readIfChanged();
    if (contents == null) {
      return;
    }
    RuleSet now = new RuleSet(contents.rules());
    started.filter.use(now);
    counts.retain(contents.rules());
    PluginContext context = started.context;
    loaded = new Loaded(now, contents, context.clock().instant());
    context
        .log()
        .atInfo()
        .addKeyValue("files", contents.files().size())
        .addKeyValue("rules", contents.rules().size())
        .addKeyValue("problems", contents.problems().size())
        .log("content_filter_rules_read");
    for (RuleProblem problem : contents.problems()) {
      context
          .log()
          .atWarn()
          .addKeyValue("file", problem.file())
          .addKeyValue("line", problem.line())
          .addKeyValue("problem", problem.text())
          .log("content_filter_file_wrong");
    }
    if (!contents.problems().isEmpty()) {
      tell(context, contents.problems());
    }
  }

  // The files are of the server: the administrators of one host get the report.
  private static void tell(PluginContext context, List<RuleProblem> problems) {
    TreeSet<String> hosts = new TreeSet<>(context.hosts());
    if (!hosts.isEmpty()) {
      String more = problems.size() == 1 ? "" : " (and " + (problems.size() - 1) + " more)";
      context.report(
          hosts.first(),
          "A file of rules is wrong and keeps the rules that it had: "
              + problems.getFirst()
              + more
              + ".");
    }
  }

  @Override
  public boolean reload() {
    Running now = running;
    if (now == null
        || !now.context.settings().path("rules").equals(now.folder)
        || !now.context.settings().duration("look-every").equals(now.period)) {
      return false;
    }
    now.filter.forgetSettings();
    return true;
  }
}
