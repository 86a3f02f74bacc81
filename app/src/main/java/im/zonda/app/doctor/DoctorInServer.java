package im.zonda.app.doctor;

import im.zonda.app.backup.BackupOperations;
import im.zonda.app.control.ControlCommand;
import im.zonda.app.finding.Findings;
import im.zonda.config.ServerConfig;
import im.zonda.dns.DnsRecords;
import im.zonda.net.Listener;
import im.zonda.storage.sql.log.StoreHealth;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// `zonda doctor` in the running server: returns findings as [Findings#encode] writes them.
///
/// @param config the configuration in force
/// @param listeners where the server accepts connections
/// @param health how it stores
/// @param clock the time
public record DoctorInServer(
    Supplier<ServerConfig> config,
    Supplier<List<Listener>> listeners,
    Supplier<StoreHealth> health,
    InstantSource clock)
    implements ControlCommand {
  /// The name of the command on the control socket.
  public static final String NAME = "doctor";

  @Override
  public String run(List<String> arguments) {
    return examine(config.get(), new Doctor.Running(listeners.get(), health.get()), clock).encode();
  }

  /// Examines with the DNS servers of the configuration.
  ///
  /// @param running the server of this process; null in a command
  static Findings examine(
      ServerConfig config, Doctor.@Nullable Running running, InstantSource clock) {
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      return Doctor.examine(
          new Doctor.Parts(
              config,
              running,
              Path.of("/"),
              DnsRecords.create(config.s2s().dns(), clock, executor),
              HostMetaFacts::fetch,
              () -> BackupOperations.newest(config),
              clock,
              executor));
    }
  }
}
