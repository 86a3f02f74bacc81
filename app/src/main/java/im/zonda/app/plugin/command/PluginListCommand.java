package im.zonda.app.plugin.command;

import im.zonda.app.command.ConfigOptions;
import im.zonda.app.operation.run.OperationRunner;
import im.zonda.app.plugin.PluginOperations;
import im.zonda.json.JsonText;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `zonda plugin list`: the operation `plugin.list` as a table that fits a terminal.
@Command(
    name = "list",
    description = "List the plugins of the running server, and how they do.",
    footer = {"", "Example:", "  zonda plugin list"})
final class PluginListCommand implements Callable<Integer> {
  private static final String LINE = "%-24s %-10s %-9s %12s %8s %10s %7s%n";

  @Mixin private ConfigOptions options;
  @Spec private CommandSpec spec;

  @Option(
      names = "--node",
      paramLabel = "NODE",
      description = "The name of a node of the cluster, if not the one that is asked, or all.")
  private @Nullable String node;

  @Option(names = "--json", description = "Print JSON, with all that is known.")
  private boolean json;

  /// Made by picocli.
  @SuppressWarnings("NullAway.Init") // picocli sets the fields
  PluginListCommand() {}

  @Override
  public Integer call() throws Exception {
    Map<String, @Nullable Object> input = node == null ? Map.of() : Map.of("node", node);
    PrintWriter out = spec.commandLine().getOut();
    try (OperationRunner runner = options.runningServer(options.read().config())) {
      if (json) {
        out.println(JsonText.of(runner.result(PluginOperations.LIST, input)));
      } else {
        print(runner.ask(PluginOperations.LIST, input), out);
      }
    }
    out.flush();
    return 0;
  }

  private static void print(PluginOperations.Listed listed, PrintWriter out) {
    List<PluginOperations.Row> rows = listed.plugins();
    if (rows.isEmpty()) {
      out.println("There are no plugins. `zonda plugin add` adds one.");
    } else {
      out.printf(LINE, "PLUGIN", "VERSION", "STATE", "CALLS", "FAULTS", "MEAN", "SHARE");
      rows.forEach(each -> print(each, out));
    }
    for (String each : listed.inMemory()) {
      out.println("still in memory: " + each);
    }
  }

  private static void print(PluginOperations.Row row, PrintWriter out) {
    out.printf(
        LINE,
        row.plugin(),
        row.version(),
        row.state().name().toLowerCase(Locale.ROOT),
        row.calls(),
        row.failed() + row.late(),
        "%.1f us".formatted(row.meanTime()),
        "%.1f %%".formatted(row.share()));
    String title = row.title();
    if (title != null) {
      out.println("  " + title);
    }
    if (row.node() != null) {
      out.println("  node: " + row.node());
    }
    if (row.reason() != null) {
      out.println("  does not run: " + row.reason());
    }
    if (row.skippedUntil() != null) {
      out.println("  skipped until: " + row.skippedUntil());
    }
    if (row.fault() != null) {
      out.println("  last fault: " + row.fault() + ", at " + row.faultAt());
    }
    if (row.lostEvents() > 0) {
      out.println("  events lost: " + row.lostEvents());
    }
  }
}
