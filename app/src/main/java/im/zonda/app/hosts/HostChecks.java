package im.zonda.app.hosts;

import im.zonda.app.settings.HostFiles;
import im.zonda.config.ServerConfig;
import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import java.io.IOException;

/// Whether a host can be added or removed by command.
public final class HostChecks {
  private HostChecks() {}

  /// The prepared form of a domain.
  ///
  /// @throws IllegalArgumentException if it is none
  public static String domain(String text) {
    try {
      if (!text.startsWith("@")) {
        return Jid.of(null, text, null).domain();
      }
    } catch (JidFormatException e) {
      throw new IllegalArgumentException("\"" + text + "\" is not a domain: " + e.getMessage(), e);
    }
    throw new IllegalArgumentException("\"" + text + "\" is not a domain");
  }

  /// Rejects a host that there is.
  ///
  /// @throws IllegalArgumentException if there is one
  public static void addable(String domain, ServerConfig config, HostFiles files)
      throws IOException {
    if (config.hosts().contains(domain)) {
      throw new IllegalArgumentException(domain + " is already a host of this server");
    }
    if (files.read(domain) != null) {
      throw new IllegalArgumentException(
          files.file(domain) + " exists; ./zonda config reload adds its host");
    }
  }

  /// The content of a host's file.
  ///
  /// @throws IllegalArgumentException if there is no such host, or it has no file
  public static String removable(String domain, ServerConfig config, HostFiles files)
      throws IOException {
    String content = files.read(domain);
    if (content != null) {
      return content;
    }
    throw new IllegalArgumentException(
        config.hosts().contains(domain)
            ? domain
                + " is not in "
                + files.folder()
                + "; remove it from hosts in the configuration file, then run"
                + " ./zonda config reload"
            : domain + " is not a host of this server");
  }
}
