package im.zonda.app.federation;

import im.zonda.home.remote.RemoteLinkStatus;
import im.zonda.json.JsonText;
import im.zonda.link.ServerStreamFailure;
import im.zonda.link.ServerStreamLink;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Links as one JSON object, in one line. Times are ISO 8601, sizes bytes.
final class LinksJson {
  private LinksJson() {}

  static String of(List<RemoteLinkStatus> links, int all) {
    Map<String, @Nullable Object> object = new LinkedHashMap<>();
    object.put("total", all);
    object.put("links", links.stream().map(LinksJson::link).toList());
    return JsonText.of(object) + "\n";
  }

  private static Map<String, @Nullable Object> link(RemoteLinkStatus link) {
    ServerStreamFailure failure = link.lastFailure();
    Map<String, @Nullable Object> object = new LinkedHashMap<>();
    object.put("local", link.pair().local());
    object.put("remote", link.pair().remote());
    object.put("state", LinksText.stateOf(link));
    object.put("waiting", link.waiting());
    object.put("unacknowledged", link.unacknowledged());
    object.put("bytes", link.bytes());
    object.put("retryAt", link.retryAt() == 0 ? null : Instant.ofEpochMilli(link.retryAt()));
    object.put("error", failure == null ? null : failure.reason().name().toLowerCase(Locale.ROOT));
    object.put("errorText", failure == null ? null : failure.detail());
    object.put("stream", stream(link.stream()));
    return object;
  }

  private static @Nullable Map<String, @Nullable Object> stream(
      ServerStreamLink.@Nullable Status stream) {
    if (stream == null) {
      return null;
    }
    Map<String, @Nullable Object> object = new LinkedHashMap<>();
    object.put("incoming", stream.incoming());
    object.put("bidirectional", stream.bidirectional());
    object.put("address", stream.address());
    object.put("tls", stream.secure());
    object.put("trust", stream.trust());
    object.put("acknowledged", stream.managed());
    return object;
  }
}
