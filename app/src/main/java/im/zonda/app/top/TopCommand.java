package im.zonda.app.top;

import im.zonda.app.cluster.ClusterOperations;
import im.zonda.app.command.ConfigOptions;
import im.zonda.app.federation.LinkOperations;
import im.zonda.app.federation.ServerLink;
import im.zonda.app.metric.MetricOperations;
import im.zonda.app.operation.run.OperationRunner;
import im.zonda.app.users.PasswordInput;
import im.zonda.json.JsonText;
import im.zonda.operation.Operation;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `zonda top`.
@Command(
    name = "top",
    description = {
      "Show live what the running server does: people, messages, latency, queues, memory, caches,"
          + " links, nodes.",
      "Keys: q ends, p pauses. Without a terminal, one frame is printed."
    },
    footer = {
      "",
      "Examples:",
      "  zonda top",
      "  zonda top --once",
      "  zonda top --once --json",
      "  zonda top --node all"
    })
public final class TopCommand implements Callable<Integer> {
  private static final int TENTHS = 10;
  private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(100L * TENTHS);
  private static final int USUAL_WIDTH = 80;
  private static final String LINKS = "zonda_s2s_links";
  private static final String MEMBERS = "zonda_cluster_members";

  /// Links and nodes are asked for less often: that takes longer, where there are many.
  private static final int FRAMES_BETWEEN = 5;

  @Mixin private ConfigOptions options;
  @Spec private CommandSpec spec;

  @Option(names = "--once", description = "Print one frame and end.")
  private boolean once;

  @Option(names = "--json", description = "Print JSON, an object for each frame.")
  private boolean json;

  @Option(
      names = "--node",
      paramLabel = "NODE",
      description = "Of this node of the cluster, or of all together: all.")
  private @Nullable String node;

  private List<ServerLink> links = List.of();
  private List<ClusterOperations.Seen> nodes = List.of();
  private int untilOthers;

  /// Made by picocli.
  @SuppressWarnings("NullAway.Init") // picocli sets the fields
  TopCommand() {}

  @Override
  public Integer call() throws Exception {
    PrintWriter out = spec.commandLine().getOut();
    try (OperationRunner server = options.runningServer(options.read().config())) {
      if (json) {
        printJson(server, out);
        return 0;
      }
      Frame first = frame(server);
      if (!once && PasswordInput.terminal() != null) {
        try (Terminal terminal = Terminal.open(out, TENTHS)) {
          if (terminal != null) {
            live(server, terminal, first);
            return 0;
          }
        }
      }
      print(out, first);
    }
    return 0;
  }

  private void printJson(OperationRunner server, PrintWriter out) throws IOException {
    do {
      Map<String, @Nullable Object> all = new LinkedHashMap<>();
      all.putAll(server.result(MetricOperations.METRICS, given()));
      String text = JsonText.of(all);
      if (text.contains("\"" + LINKS + "\"")) {
        all.put("links", server.result(LinkOperations.LIST, given()).get("links"));
      }
      if (text.contains("\"" + MEMBERS + "\"")) {
        all.put("nodes", server.result(ClusterOperations.MEMBERS, one()).get("members"));
      }
      out.println(JsonText.of(all));
      out.flush();
      if (!once) {
        LockSupport.parkNanos(PERIOD_NANOS);
      }
    } while (!once && !out.checkError());
  }

  /// The choice of a node or all.
  private Map<String, @Nullable Object> given() {
    Map<String, @Nullable Object> given = new LinkedHashMap<>();
    if (node != null) {
      given.put(Operation.NODE, node);
    }
    return given;
  }

  /// The choice of a node, as far as it is one.
  private Map<String, @Nullable Object> one() {
    return Operation.ALL_NODES.equals(node) ? Map.of() : given();
  }

  private Frame frame(OperationRunner server) throws IOException {
    List<MetricOperations.Value> values =
        MetricOperations.together(server.ask(MetricOperations.METRICS, given()).metrics());
    Frame metrics = Frame.of(values, links, nodes);
    if (untilOthers-- > 0) {
      return metrics;
    }
    untilOthers = FRAMES_BETWEEN - 1;
    links = metrics.has(LINKS) ? server.ask(LinkOperations.LIST, given()).links() : List.of();
    nodes =
        metrics.has(MEMBERS) ? server.ask(ClusterOperations.MEMBERS, one()).members() : List.of();
    return Frame.of(values, links, nodes);
  }

  private void print(PrintWriter out, Frame frame) {
    String columns = Objects.requireNonNullElse(System.getenv("COLUMNS"), "");
    int width = columns.matches("[1-9]\\d{1,3}") ? Integer.parseInt(columns) : USUAL_WIDTH;
    screen(width, Integer.MAX_VALUE)
        .lines(frame, InstantSource.system().instant(), "")
        .forEach(out::println);
    out.flush();
  }

  private Screen screen(int width, int height) {
    boolean colours = spec.commandLine().getColorScheme().ansi().enabled();
    return new Screen(width, height, colours, ZoneId.systemDefault());
  }

  private void live(OperationRunner server, Terminal terminal, Frame first) throws IOException {
    Frame shown = first;
    boolean paused = false;
    long next = System.nanoTime() + PERIOD_NANOS;
    while (true) {
      int[] size = terminal.size();
      Screen screen = size == null ? screen(USUAL_WIDTH, 24) : screen(size[1], size[0]);
      String last = paused ? "paused   q quit   p continue" : "q quit   p pause";
      terminal.show(screen.lines(shown, InstantSource.system().instant(), last));
      int key = terminal.key();
      if (key == 'q' || key == 'Q') {
        return;
      }
      if (key == 'p' || key == 'P') {
        paused = !paused;
      }
      if (!paused && System.nanoTime() - next >= 0) {
        shown = frame(server);
        next = System.nanoTime() + PERIOD_NANOS;
      }
    }
  }
}
