package im.zonda.app.settings;

import im.zonda.app.settings.check.HttpChecks;
import im.zonda.app.settings.check.LimitChecks;
import im.zonda.app.settings.check.ProxyChecks;
import im.zonda.app.settings.plugin.AddedManifests;
import im.zonda.app.settings.toml.Place;
import im.zonda.app.settings.toml.Problem;
import im.zonda.app.settings.toml.SettingsException;
import im.zonda.app.settings.toml.TomlFile;
import im.zonda.app.settings.toml.TomlValue;
import im.zonda.config.Rooms;
import im.zonda.config.ServerConfig;
import im.zonda.config.Services;
import im.zonda.config.accounts.Accounts;
import im.zonda.config.edge.EdgeConfig;
import im.zonda.config.limits.HostLimits;
import im.zonda.net.edge.CoreAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// Reads the configuration from file, environment and command line.
public final class SettingsReader {
  private final Map<String, String> variables;
  private final Set<String> modules;

  /// Creates a reader.
  ///
  /// @param variables the environment
  /// @param modules the names of the modules that can be switched off
  public SettingsReader(Map<String, String> variables, Set<String> modules) {
    this.variables = Map.copyOf(variables);
    this.modules = Set.copyOf(modules);
  }

  /// Reads a configuration.
  ///
  /// @param file the file, or null for defaults
  /// @param data the data folder, overrides the file; or null
  /// @param folder the current folder
  /// @throws SettingsException with all errors
  public Settings read(@Nullable Path file, @Nullable Path data, Path folder)
      throws SettingsException {
    Path base = folderOf(file, folder);
    TomlValue.Table table = new TomlValue.Table(new Place("defaults", 1, 1), new LinkedHashMap<>());
    if (file != null) {
      table = TomlFile.read(folder.resolve(file).toAbsolutePath(), file.toString());
    }
    return bind(table, base, data == null ? null : folder.resolve(data).normalize());
  }

  /// Reads a configuration as it would be with that content of its file.
  ///
  /// @param file the file; its folder is that of relative paths
  /// @param content what would be in it
  /// @param data the data folder, overrides the file; or null
  /// @param folder the current folder
  /// @throws SettingsException with all errors
  public Settings readWith(Path file, String content, @Nullable Path data, Path folder)
      throws SettingsException {
    return bind(
        TomlFile.parse(content, file.toString()),
        folderOf(file, folder),
        data == null ? null : folder.resolve(data).normalize());
  }

  /// Reads the configuration of an edge.
  ///
  /// @param file the file
  /// @param folder the current folder
  /// @throws SettingsException with all errors
  public static EdgeConfig readEdge(Path file, Path folder) throws SettingsException {
    List<Problem> problems = new ArrayList<>();
    TomlValue.Table table = TomlFile.read(folder.resolve(file).toAbsolutePath(), file.toString());
    EdgeConfig config =
        new RecordBinder(folderOf(file, folder), problems)
            .bind(EdgeConfig.class, EdgeConfig.defaults(), table, List.of(), Map.of());
    check(config.edge(), table.place(), problems);
    BiConsumer<String, String> report =
        (path, text) -> problems.add(new Problem(table.place(), text));
    new HttpChecks(report).run(config.http().settings());
    new ProxyChecks(report).run(config);
    new LimitChecks(_ -> false, report).run(config.limits());
    if (!problems.isEmpty()) {
      throw new SettingsException(problems);
    }
    return config;
  }

  private static void check(EdgeConfig.Core edge, Place place, List<Problem> problems) {
    if (!edge.core().isEmpty() && !edge.cores().isEmpty()) {
      problems.add(new Problem(place, "edge.core and edge.cores must not be set together"));
    }
    String path = edge.cores().isEmpty() ? "edge.core" : "edge.cores";
    if (edge.all().isEmpty()) {
      problems.add(new Problem(place, "edge.core or edge.cores must be set"));
    }
    for (String core : edge.all()) {
      if (CoreAddress.parse(core) == null) {
        problems.add(
            new Problem(
                place, path + ": " + core + " is not host:port, such as core.example.org:5225"));
      }
    }
  }

  private Settings bind(TomlValue.Table table, Path base, @Nullable Path data)
      throws SettingsException {
    List<Problem> problems = new ArrayList<>();
    Environment.override(table, variables, problems);
    HostFiles.in(base).addTo(table, problems);
    ServerConfig defaults =
        ServerConfig.defaults(List.of("localhost"), base.resolve("data").normalize());
    RecordBinder binder = new RecordBinder(base, problems);
    ServerConfig config =
        table.entries().isEmpty()
            ? defaults // reading the records costs a tenth of a server's start
            : binder.bind(ServerConfig.class, defaults, table, List.of(), Map.of());
    config = withHosts(config, binder, table);
    if (data != null) {
      config = config.withData(data);
    }
    Map<String, Place> places = binder.places();
    AddedManifests plugins = AddedManifests.in(config.data());
    new Checks(config, places, modules, problems).run(table.place(), plugins);
    if (!problems.isEmpty()) {
      problems.sort(
          Comparator.comparing((Problem problem) -> problem.place().source())
              .thenComparingInt(problem -> problem.place().line())
              .thenComparingInt(problem -> problem.place().column()));
      throw new SettingsException(problems);
    }
    return new Settings(config, Map.copyOf(places), plugins);
  }

  private static ServerConfig withHosts(
      ServerConfig config, RecordBinder binder, TomlValue.Table table) {
    if (!(table.entries().get("host") instanceof TomlValue.Table hosts)) {
      return config;
    }
    Map<Class<?>, Object> prototypes =
        Map.of(
            ServerConfig.Registration.class,
            config.registration(),
            ServerConfig.Archive.class,
            config.archive(),
            Rooms.class,
            config.rooms(),
            Accounts.class,
            config.accounts(),
            Services.class,
            config.services(),
            ServerConfig.Tls.class,
            new ServerConfig.Tls(null, null),
            HostLimits.class,
            config.limits().ofHost());
    return config.withHosts(
        binder.bindMap(ServerConfig.Host.class, hosts, List.of("host"), prototypes));
  }

  /// The folder of the host files ([HostFiles]) of a configuration file, which may be null.
  public static Path folderOf(@Nullable Path file, Path folder) {
    Path parent = file == null ? null : folder.resolve(file).toAbsolutePath().getParent();
    return parent == null ? folder : parent;
  }

  /// The default configuration file: the one that the variable `ZONDA_CONFIG` names, which must
  /// exist then, or `zonda.toml` in the current folder; null if there is none.
  ///
  /// @param variables the environment
  public static @Nullable Path usual(Map<String, String> variables, Path folder) {
    String named = variables.getOrDefault("ZONDA_CONFIG", "");
    if (!named.isEmpty()) {
      return Path.of(named);
    }
    Path file = folder.resolve("zonda.toml");
    return Files.exists(file) ? file : null;
  }
}
