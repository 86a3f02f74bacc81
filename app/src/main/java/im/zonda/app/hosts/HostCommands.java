package im.zonda.app.hosts;

import im.zonda.app.control.ControlCommand;
import im.zonda.app.settings.HostFiles;
import im.zonda.app.settings.SettingsException;
import im.zonda.config.ServerConfig;
import im.zonda.store.Stores;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The commands `config reload` and `host` in a running server.
public final class HostCommands {
  /// Reads the configuration again; no arguments.
  public static final String RELOAD = "config-reload";

  /// Adds a host; its domain and the content of its file.
  public static final String ADD = "host-add";

  /// Removes a host that has a file; its domain.
  public static final String REMOVE = "host-remove";

  /// Lists the hosts; no arguments.
  public static final String LIST = "host-list";

  /// Erases some data of a host that is not served: its domain and the domains of its services.
  /// Answers how much, as a number.
  public static final String ERASE = "host-erase";

  /// Accounts and rooms that are erased in one request.
  static final int ERASED_AT_A_TIME = 200;

  private final ConfigReload config;
  private final Stores stores;

  public HostCommands(ConfigReload config, Stores stores) {
    this.config = config;
    this.stores = stores;
  }

  /// All of them, by name.
  public Map<String, ControlCommand> all() {
    return Map.of(
        RELOAD, arguments -> reload(),
        ADD, arguments -> add(arguments.get(0), arguments.get(1)),
        REMOVE, arguments -> remove(arguments.get(0)),
        LIST, arguments -> HostList.of(config.running(), config.hostFiles(), stores.accounts()),
        ERASE, arguments -> erase(arguments.get(0), arguments.subList(1, arguments.size())));
  }

  private String reload() throws IOException {
    try {
      List<String> lines = config.reload();
      return lines.isEmpty()
          ? "nothing has changed\n"
          : lines.stream().collect(Collectors.joining("\n", "", "\n"));
    } catch (SettingsException e) {
      throw new IllegalArgumentException(e.getMessage() + "\nnothing has changed", e);
    }
  }

  private String add(String domain, String content) throws IOException {
    // No one else may change the file meanwhile: a failure restores its former content.
    synchronized (config) {
      HostFiles files = config.hostFiles();
      HostChecks.addable(domain, config.running(), files);
      files.write(domain, content);
      return reloadOr(domain, null);
    }
  }

  private String remove(String domain) throws IOException {
    synchronized (config) {
      HostFiles files = config.hostFiles();
      String content = HostChecks.removable(domain, config.running(), files);
      files.write(domain, null);
      return reloadOr(domain, content);
    }
  }

  /// Reloads the configuration; if it is wrong, the host's file gets its old content.
  private String reloadOr(String domain, @Nullable String before) throws IOException {
    ServerConfig running = config.running();
    try {
      return reload();
    } catch (IOException | RuntimeException e) {
      if (config.running().equals(running)) {
        config.hostFiles().write(domain, before);
      }
      throw e;
    }
  }

  private String erase(String domain, List<String> services) {
    synchronized (config) {
      if (config.running().hosts().contains(domain)) {
        throw new IllegalArgumentException(domain + " is a host of this server; remove it first");
      }
      return Integer.toString(HostData.erase(stores, domain, services, ERASED_AT_A_TIME));
    }
  }
}
