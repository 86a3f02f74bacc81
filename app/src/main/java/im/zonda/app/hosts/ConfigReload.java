package im.zonda.app.hosts;

import im.zonda.app.settings.HostFiles;
import im.zonda.app.settings.Settings;
import im.zonda.app.settings.SettingsChange;
import im.zonda.app.settings.toml.SettingsException;
import im.zonda.config.ServerConfig;
import im.zonda.host.XmppServer;
import im.zonda.net.socks.SocksProxy;
import im.zonda.net.tls.CertificateFiles;
import im.zonda.net.tls.Certificates;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Takes over a changed configuration while the server runs. One reload at a time.
///
/// Everything is read and checked first, the certificates too: if anything is wrong, nothing
/// changes. If a module cannot be installed then, all hosts are again as they were. What a running
/// server cannot take over is named, and stays as it is until a restart.
public final class ConfigReload {
  private static final Logger LOG = LoggerFactory.getLogger(ConfigReload.class);

  /// Finds, and where there is none creates, the certificates of a configuration.
  @FunctionalInterface
  public interface CertificateSource {
    /// The files. Blocks.
    ///
    /// @throws IOException if they cannot be read or written
    CertificateFiles of(ServerConfig config) throws IOException;
  }

  /// The parts of the server that are changed.
  ///
  /// @param server the hosts
  /// @param certificates what new connections use
  /// @param certificateSource the certificates of a configuration
  /// @param proxy the proxy for bytestreams, which listens nowhere if there is none
  /// @param log changes the logging
  /// @param plugins the plugins that run
  public record Parts(
      XmppServer server,
      Certificates certificates,
      CertificateSource certificateSource,
      SocksProxy proxy,
      Consumer<ServerConfig.Log> log,
      PluginReload plugins) {}

  /// Has plugins take over changed settings.
  @FunctionalInterface
  public interface PluginReload {
    /// Called once the configuration is in force. May block.
    ///
    /// @return what could not be done, in sentences for the administrator
    List<String> reload(ServerConfig before, ServerConfig after);
  }

  private final ConfigSource source;
  private final Parts parts;

  // Changed under this object's monitor.
  private volatile ServerConfig running;

  /// @param running the configuration that the server was started with
  public ConfigReload(ConfigSource source, Parts parts, ServerConfig running) {
    this.source = source;
    this.parts = parts;
    this.running = running;
  }

  /// The configuration in force.
  public ServerConfig running() {
    return running;
  }

  /// The files of single hosts.
  HostFiles hostFiles() {
    return source.hostFiles();
  }

  /// Reads the configuration again and takes it over. Blocks.
  ///
  /// @return what has changed and what needs a restart, one line for each; empty if nothing
  /// @throws SettingsException if the configuration is wrong; nothing has changed
  /// @throws IOException if a certificate or an address cannot be used, or a module cannot be
  ///   installed; nothing has changed
  public synchronized List<String> reload() throws SettingsException, IOException {
    Settings settings;
    Certificates.Candidate candidate;
    SocksProxy.Prepared addresses;
    ServerConfig wanted;
    try {
      settings = source.read();
      wanted = running.withReloadable(settings.config());
      candidate = parts.certificates().load(parts.certificateSource().of(wanted));
      addresses = parts.proxy().prepare(wanted.proxy());
    } catch (SettingsException | IOException e) {
      LOG.atWarn().addKeyValue("reason", e.getMessage()).log("config_not_reloaded");
      throw e;
    }
    Certificates.Candidate before = parts.certificates().inUse();
    List<String> lines = new ArrayList<>();
    if (parts.certificates().use(candidate, services(wanted))) {
      lines.add("loaded new certificates");
    }
    lines.addAll(SettingsChange.describe(running, wanted, settings));
    List<String> failures = parts.server().reload(wanted);
    if (!failures.isEmpty()) {
      addresses.discard();
      parts.certificates().use(before, services(running));
      LOG.atWarn().addKeyValue("reason", failures).log("config_not_reloaded");
      throw new IOException(
          String.join("\n", failures)
              + "\nthe configuration from before is in force; the server's log has the reasons");
    }
    addresses.use();
    if (!wanted.log().equals(running.log())) {
      parts.log().accept(wanted.log());
    }
    ServerConfig last = running;
    running = wanted;
    lines.addAll(parts.plugins().reload(last, wanted));
    LOG.atInfo().addKeyValue("changes", lines).log("config_reloaded");
    return lines;
  }

  private static Map<String, List<String>> services(ServerConfig config) {
    Map<String, List<String>> services = new LinkedHashMap<>();
    config.hosts().forEach(host -> services.put(host, config.serviceDomains(host)));
    return services;
  }
}
