package im.zonda.app.hosts;

import im.zonda.app.settings.HostFiles;
import im.zonda.config.ServerConfig;
import im.zonda.store.AccountStore;
import java.nio.file.Files;
import java.util.Locale;

/// The output of `zonda host list`.
public final class HostList {
  private HostList() {}

  /// A line for each host: its domain, the number of its accounts, and where it is configured.
  public static String of(ServerConfig config, HostFiles files, AccountStore accounts) {
    int width = config.hosts().stream().mapToInt(String::length).max().orElse(0);
    StringBuilder out = new StringBuilder();
    for (String host : config.hosts()) {
      String place =
          Files.exists(files.file(host))
              ? HostFiles.NAME + "/" + files.file(host).getFileName()
              : "configuration file";
      long count = accounts.count(host);
      out.append(
          String.format(
              Locale.ROOT,
              "%-" + Math.max(1, width) + "s  %6d %-8s  %s%n",
              host,
              count,
              count == 1 ? "account" : "accounts",
              place));
    }
    return out.toString();
  }
}
