package im.zonda.module.pubsub;

import im.zonda.config.PubSub;
import im.zonda.config.ServerConfig;
import im.zonda.config.ServerConfig.Host;
import im.zonda.config.Services;
import im.zonda.config.copy.RecordCopy;
import im.zonda.config.limits.HostLimits;
import im.zonda.config.limits.PubSubLimits;
import java.util.Map;

/// Configurations of the host `example.org` with other limits of publish-subscribe.
public final class PubSubConfigs {
  private PubSubConfigs() {}

  /// The configuration with these settings and limits.
  public static ServerConfig with(ServerConfig config, PubSub settings, PubSubLimits limits) {
    HostLimits changed = RecordCopy.with(config.limits().ofHost(), "pubsub", limits);
    Services services = Services.DEFAULTS.with(settings);
    Host host = new Host(null, null, null, services, null, null, null, changed);
    return config.withHosts(Map.of("example.org", host)).at("example.org");
  }

  /// The usual limits with another number of notifications.
  public static PubSubLimits notifications(int most) {
    return RecordCopy.with(PubSubLimits.DEFAULTS, "notifications", most);
  }
}
