package im.zonda.app.doctor;

import im.zonda.app.backup.BackupOperations;
import im.zonda.app.finding.Finding;
import im.zonda.app.finding.Findings;
import im.zonda.config.ServerConfig;
import im.zonda.dns.DnsRecords;
import im.zonda.net.Listener;
import im.zonda.operation.Field;
import im.zonda.operation.Nothing;
import im.zonda.operation.Offer;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Right;
import im.zonda.storage.sql.log.StoreHealth;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Looks for what is wrong with the running server and its machine.
///
/// @param config the configuration in force
/// @param listeners where the server accepts connections
/// @param health how it stores
/// @param clock the time
public record DoctorOperations(
    Supplier<ServerConfig> config,
    Supplier<List<Listener>> listeners,
    Supplier<StoreHealth> health,
    InstantSource clock) {
  /// What was found.
  public record Examined(
      @Field("how many problems") long problems,
      @Field("how many warnings") long warnings,
      @Field("how much is as it should be, or not known") long ok,
      @Field("the findings, in the order of the checks") List<Found> findings) {
    /// The findings of an examination.
    public static Examined of(Findings findings) {
      return new Examined(
          findings.count(Finding.Level.PROBLEM),
          findings.count(Finding.Level.WARNING),
          findings.count(Finding.Level.OK),
          findings.all().stream()
              .map(
                  each -> new Found(null, each.level(), each.subject(), each.text(), each.advice()))
              .toList());
    }

    /// The same as findings for a terminal.
    public Findings toFindings() {
      return new Findings(
          findings.stream()
              .map(each ->
                  new Finding(
                      each.level(),
                      each.node() == null ? each.subject() : each.node() + ": " + each.subject(),
                      each.text(),
                      each.advice()))
              .toList());
    }
  }

  /// A finding.
  public record Found(
      @Field(Field.NODE) @Nullable String node,
      @Field("how bad it is") Finding.Level level,
      @Field("what was checked") String subject,
      @Field("what was found") String text,
      @Field("what to do, such as lines to type") List<String> advice) {}

  /// `server.doctor`.
  public static final Operation<Nothing, Examined> DOCTOR =
      Operation.read("server.doctor", Right.SERVER)
          .ofNodes()
          .at(
              "GET /doctor",
              "Look for what is wrong with the server and its machine",
              Nothing.class,
              Examined.class);

  /// The definitions.
  public static final List<Operation<?, ?>> ALL = List.of(DOCTOR);

  /// The operations.
  public List<Offer<?, ?>> offers() {
    return List.of(
        DOCTOR.by((_, _) -> {
          Doctor.Running running = new Doctor.Running(listeners.get(), health.get());
          return Outcome.done(Examined.of(examine(config.get(), running, clock)));
        }));
  }

  /// Examines the machine and the files of a server that does not run in this process. Blocks.
  public static Findings examineHere(ServerConfig config) {
    return examine(config, null, InstantSource.system());
  }

  /// Examines with the DNS servers of the configuration.
  ///
  /// @param running the server of this process; null in a command
  private static Findings examine(
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
