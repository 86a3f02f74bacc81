package im.zonda.app;

import im.zonda.app.hosts.ConfigSource;
import im.zonda.app.settings.toml.SettingsException;
import im.zonda.app.status.ServerControl;
import im.zonda.config.ServerConfig;
import im.zonda.module.XmppModule;
import java.io.IOException;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The server of this process, which may be started again without ending the process. Safe for use
/// by several threads.
public final class ServerProcess implements ServerControl, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ServerProcess.class);

  private final ConfigSource source;
  private final IntConsumer exit;
  private final Supplier<List<XmppModule>> modules;

  // Guarded by this object's monitor.
  private @Nullable RunningServer running;
  private @Nullable ServerConfig started;
  private boolean closed;

  /// @param source where the configuration is read
  /// @param exit ends the process with an exit code; called on a thread of its own
  public ServerProcess(ConfigSource source, IntConsumer exit) {
    this(source, exit, StandardModules::create);
  }

  /// The same with other modules.
  ///
  /// @param modules creates the modules of one host
  ServerProcess(ConfigSource source, IntConsumer exit, Supplier<List<XmppModule>> modules) {
    this.source = source;
    this.exit = exit;
    this.modules = modules;
  }

  /// Starts the server.
  ///
  /// @throws IOException if it cannot start; nothing is left running
  public synchronized RunningServer start(ServerConfig config) throws IOException {
    RunningServer server = Wiring.start(config, new Wiring.Origin(source, this, modules));
    running = server;
    started = config;
    return server;
  }

  @Override
  public void stop(boolean restart) {
    // A thread of its own, as those of the server end with it.
    Thread.ofPlatform()
        .name(restart ? "zonda-restart" : "zonda-shutdown")
        .start(restart ? this::restart : () -> exit.accept(0));
  }

  private void restart() {
    try {
      LOG.info("server_restarts");
      if (restartNow()) {
        LOG.info("server_restarted");
      }
    } catch (SettingsException | IOException | RuntimeException | Error e) {
      LOG.atError().setCause(e).log("restart_failed");
      exit.accept(1);
    }
  }

  /// The server that runs; null if none does.
  synchronized @Nullable RunningServer running() {
    return running;
  }

  /// Starts the server again. Reads the configuration before the server is closed: with a wrong one
  /// it goes on as it is. If it cannot start with the new one, it starts with that from before.
  ///
  /// @return false if it was not started again
  synchronized boolean restartNow() throws SettingsException, IOException {
    if (closed) {
      return false;
    }
    ServerConfig config;
    try {
      config = source.read().config();
    } catch (SettingsException | IOException e) {
      LOG.atError().setCause(e).log("restart_refused");
      return false;
    }
    closeServer();
    ServerConfig before = started;
    try {
      start(config);
    } catch (IOException | RuntimeException e) {
      if (before == null || before.equals(config)) {
        throw e;
      }
      LOG.atError().setCause(e).log("restarted_with_former_configuration");
      start(before);
    }
    return true;
  }

  /// Closes the server; it is not started again.
  @Override
  public synchronized void close() {
    closed = true;
    closeServer();
  }

  private void closeServer() {
    RunningServer open = running;
    running = null;
    if (open != null) {
      open.close();
    }
  }
}
