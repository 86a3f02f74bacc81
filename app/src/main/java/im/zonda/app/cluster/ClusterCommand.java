package im.zonda.app.cluster;

import im.zonda.app.control.ControlCommand;
import im.zonda.app.control.NotApplicableException;
import im.zonda.cluster.Member;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.SortedSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// `zonda cluster` in the running server.
public final class ClusterCommand {
  /// Prints the status.
  public static final String STATUS = "cluster-status";

  /// Drains the node. With the argument `begin` it begins to, with `progress` it only answers: the
  /// name of the phase in one line, then text.
  public static final String DRAIN = "cluster-drain";

  /// Undoes a drain.
  public static final String JOIN = "cluster-join";

  private final @Nullable Drain drain;
  private final Supplier<Map<Member, SortedSet<String>>> differing;

  /// @param drain of the node; null for a server that is none
  /// @param differing the nodes with other settings than this one, and which these are
  public ClusterCommand(@Nullable Drain drain, Supplier<Map<Member, SortedSet<String>>> differing) {
    this.drain = drain;
    this.differing = differing;
  }

  /// The commands by name.
  public Map<String, ControlCommand> all() {
    return Map.of(
        STATUS,
        arguments -> drain().status().text() + warnings(differing.get()),
        DRAIN,
        arguments ->
            switch (String.join(" ", arguments)) {
              case "begin" -> {
                drain().begin();
                yield progress();
              }
              case "progress" -> progress();
              default -> throw new IllegalArgumentException("begin or progress");
            },
        JOIN,
        arguments -> {
          drain().join();
          return "the node takes homes and clients again\n";
        });
  }

  /// A line for each node whose configuration differs.
  static String warnings(Map<Member, SortedSet<String>> differing) {
    StringBuilder out = new StringBuilder();
    differing.forEach((member, settings) -> {
      out.append("warning: ").append(member).append(" has other settings: ");
      out.append(String.join(", ", settings)).append("; each node reads its own files\n");
    });
    return out.toString();
  }

  private String progress() throws IOException {
    Drain.Phase phase = drain().phase();
    return phase.name().toLowerCase(Locale.ROOT) + "\n" + drain().status().progress() + "\n";
  }

  private Drain drain() throws IOException {
    if (drain == null) {
      throw new NotApplicableException(
          "this server is no node of a cluster: cluster.name is not set");
    }
    return drain;
  }
}
