package im.zonda.testkit.server;

import im.zonda.config.ServerConfig;
import im.zonda.config.copy.RecordCopy;

/// Changes single values of a configuration by name, so that tests need not list all others.
public final class Settings {
  private Settings() {}

  /// A copy with another value at `path`, such as `limits.saslFailures`.
  ///
  /// @throws IllegalArgumentException if there is no such value or it is of another type
  public static ServerConfig with(ServerConfig config, String path, Object value) {
    return RecordCopy.with(config, path, value);
  }
}
