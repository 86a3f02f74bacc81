package im.zonda.host;

import im.zonda.federation.ServerLinks;
import im.zonda.home.remote.RemoteLinkStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The streams with other servers, as modules see them.
///
/// @param federation null without it
record RemoteLinks(Supplier<@Nullable Federation> federation) implements ServerLinks {
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  @Override
  public List<Link> links() {
    Federation present = federation.get();
    return present == null ? List.of() : present.links();
  }

  @Override
  public @Nullable Waiting waiting(String local, String remote) {
    Federation present = federation.get();
    if (present == null) {
      return null;
    }
    for (RemoteLinkStatus link : present.domains().links(PATIENCE)) {
      if (link.pair().local().equals(local) && link.pair().remote().equals(remote)) {
        return new Waiting(
            link.waiting(),
            link.lastFailure() == null ? null : link.lastFailure().detail(),
            link.retryAt() == 0 ? null : Instant.ofEpochMilli(link.retryAt()));
      }
    }
    return null;
  }
}
