package im.zonda.app.federation;

import im.zonda.app.finding.TerminalText;
import im.zonda.app.status.ByteCount;
import im.zonda.home.remote.RemoteLinkStatus;
import im.zonda.link.ServerStreamFailure;
import im.zonda.link.ServerStreamLink;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Links as text for a terminal: one line for each, and one below it for what is wrong.
final class LinksText {
  private LinksText() {}

  static String of(List<RemoteLinkStatus> links, int all, Instant now) {
    if (all == 0) {
      return "no links\n";
    }
    StringBuilder out = new StringBuilder();
    for (RemoteLinkStatus link : links) {
      out.append(link.pair().local()).append(" - ").append(link.pair().remote()).append(": ");
      out.append(state(link, now)).append(queue(link)).append('\n');
      ServerStreamFailure failure = link.lastFailure();
      if (failure != null) {
        out.append("  last error: ").append(TerminalText.oneLine(failure.detail())).append('\n');
      }
    }
    out.append(all == 1 ? "1 link" : all + " links");
    if (all > links.size()) {
      out.append(", ").append(all - links.size()).append(" of them not listed; name a domain");
    }
    return out.append('\n').toString();
  }

  /// The state in one word.
  static String stateOf(RemoteLinkStatus link) {
    ServerStreamLink.Status stream = link.stream();
    if (stream != null) {
      return stream.connected() ? "connected" : "interrupted";
    }
    if (link.connecting()) {
      return "connecting";
    }
    return link.waiting() > 0 ? "waiting" : "idle";
  }

  private static String state(RemoteLinkStatus link, Instant now) {
    List<String> parts = new ArrayList<>();
    parts.add(stateOf(link));
    ServerStreamLink.Status stream = link.stream();
    if (stream != null) {
      parts.add(stream.bidirectional() ? "both ways" : stream.incoming() ? "incoming" : "outgoing");
      parts.add(stream.address());
      parts.add(stream.secure() ? "TLS" : "not encrypted");
      parts.add(stream.trust().isEmpty() ? "not proved" : "proved by " + stream.trust());
      parts.add(stream.managed() ? "acknowledged (XEP-0198)" : "not acknowledged");
    } else if (link.retryAt() != 0) {
      long seconds = Duration.between(now, Instant.ofEpochMilli(link.retryAt())).toSeconds();
      parts.add("next attempt in " + Math.max(0, seconds) + " s");
    }
    return String.join(", ", parts);
  }

  private static String queue(RemoteLinkStatus link) {
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
