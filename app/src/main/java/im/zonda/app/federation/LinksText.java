package im.zonda.app.federation;

import im.zonda.app.status.ByteCount;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Links as text for a terminal: one line for each, and one below it for what is wrong.
public final class LinksText {
  private LinksText() {}

  /// The lines.
  ///
  /// @param all how many links there are, also those that are not listed
  public static String of(List<ServerLink> links, int all, Instant now) {
    if (all == 0) {
      return "no links\n";
    }
    StringBuilder out = new StringBuilder();
    for (ServerLink link : links) {
      out.append(link.local()).append(" - ").append(link.remote()).append(": ");
      out.append(state(link, now)).append(queue(link)).append('\n');
      if (link.errorText() != null) {
        out.append("  last error: ").append(link.errorText()).append('\n');
      }
    }
    out.append(all == 1 ? "1 link" : all + " links");
    if (all > links.size()) {
      out.append(", ").append(all - links.size()).append(" of them not listed; name a domain");
    }
    return out.append('\n').toString();
  }

  private static String state(ServerLink link, Instant now) {
    List<String> parts = new ArrayList<>();
    parts.add(link.state());
    ServerLink.Stream stream = link.stream();
    if (stream != null) {
      parts.add(stream.bidirectional() ? "both ways" : stream.incoming() ? "incoming" : "outgoing");
      parts.add(stream.address());
      parts.add(stream.tls() ? "TLS" : "not encrypted");
      parts.add(stream.trust().isEmpty() ? "not proved" : "proved by " + stream.trust());
      parts.add(stream.acknowledged() ? "acknowledged (XEP-0198)" : "not acknowledged");
    } else if (link.retryAt() != null) {
      long seconds = Duration.between(now, link.retryAt()).toSeconds();
      parts.add("next attempt in " + Math.max(0, seconds) + " s");
    }
    return String.join(", ", parts);
  }

  private static String queue(ServerLink link) {
    int stanzas = link.waiting() + link.unacknowledged();
    return stanzas == 0
        ? ""
        : String.format(
            Locale.ROOT,
            "; %d waiting, %d not acknowledged, %s",
            link.waiting(),
            link.unacknowledged(),
            ByteCount.text(link.bytes()));
  }
}
