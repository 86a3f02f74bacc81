package im.zonda.app.federation;

import im.zonda.app.control.ControlCommand;
import im.zonda.app.control.NotApplicableException;
import im.zonda.home.remote.RemoteLinkStatus;
import im.zonda.host.Federation;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// `zonda s2s` in the running server. The first argument is `text` or `json`, the second, if there
/// is one, a remote domain.
///
/// @param federation the exchange of stanzas with other servers; null without it
public record LinksCommand(Supplier<@Nullable Federation> federation, InstantSource clock)
    implements ControlCommand {
  /// The name of the command on the control socket.
  public static final String NAME = "s2s";

  /// The most links that are listed: an answer on the control socket has at most 1 MiB.
  static final int MOST = 1_000;

  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /// Links with a queue or a failure first.
  private static final Comparator<RemoteLinkStatus> ORDER =
      Comparator.<RemoteLinkStatus>comparingInt(link -> link.lastFailure() == null ? 1 : 0)
          .thenComparing(Comparator.comparingLong(RemoteLinkStatus::bytes).reversed())
          .thenComparing(link -> link.pair().remote())
          .thenComparing(link -> link.pair().local());

  @Override
  public String run(List<String> arguments) throws IOException {
    Federation running = federation.get();
    if (running == null) {
      throw new NotApplicableException(
          "this server does not talk to other servers: s2s.enabled is false");
    }
    String remote = arguments.size() > 1 ? arguments.get(1) : null;
    List<RemoteLinkStatus> found =
        running.domains().links(PATIENCE).stream()
            .filter(link -> remote == null || link.pair().remote().equals(remote))
            .sorted(ORDER)
            .toList();
    List<RemoteLinkStatus> listed = found.subList(0, Math.min(MOST, found.size()));
    return switch (arguments.isEmpty() ? "" : arguments.getFirst()) {
      case "text" -> LinksText.of(listed, found.size(), clock.instant());
      case "json" -> LinksJson.of(listed, found.size());
      default -> throw new IllegalArgumentException("links are printed as text or json");
    };
  }
}
