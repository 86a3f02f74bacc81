package im.zonda.app.plugin;

import im.zonda.app.settings.plugin.PluginSetting;
import im.zonda.host.plugin.PluginState;
import im.zonda.host.plugin.Plugins;
import im.zonda.host.plugin.guard.PluginFaults;
import im.zonda.host.plugin.guard.PluginGuard;
import im.zonda.host.plugin.jar.PluginJar;
import im.zonda.host.plugin.jar.PluginJarException;
import im.zonda.host.plugin.manifest.PluginManifest;
import im.zonda.host.plugin.manifest.SettingDeclaration;
import im.zonda.operation.Call;
import im.zonda.operation.Field;
import im.zonda.operation.Field.Form;
import im.zonda.operation.Nothing;
import im.zonda.operation.Offer;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Right;
import im.zonda.plugin.PluginPort;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Operations on plugins.
public final class PluginOperations {
  /// The most characters of a jar in base64.
  public static final int MOST_TEXT = 4 * ((PluginJar.MOST_BYTES + 2) / 3);

  static final int MOST_VALUE = 100_000;

  /// What the configuration has for plugins.
  interface Configured {
    /// The hosts at which a plugin works.
    List<String> hosts(String plugin);

    /// Its settings with their values for the server.
    List<PluginSetting> settings(PluginManifest manifest);
  }

  /// A plugin that was added.
  public record Row(
      @Field("the name") String plugin,
      @Field("the version") String version,
      @Field("what it does; nothing if it does not run") @Nullable String title,
      @Field("what becomes of it") PluginState state,
      @Field("why it does not run") @Nullable String reason,
      @Field("until when its handlers are skipped") @Nullable Instant skippedUntil,
      @Field("what it may do") List<String> ports,
      @Field("the hosts at which it works, if it runs") List<String> hosts,
      @Field("the hash of its jar (SHA-256)") String sha256,
      @Field(value = "the size of its jar", form = Form.BYTES) long size,
      @Field("when this version was added") Instant added,
      @Field("who has added it") String by,
      @Field("calls of its filters and of handlers of requests since it was started") long calls,
      @Field("those that have failed") long failed,
      @Field("those that took too long") long late,
      @Field("those that were not made, because it is skipped") long skipped,
      @Field("the mean of its calls, in µs") double meanTime,
      @Field("its share of one processor lately, in %") double share,
      @Field("events that wait for it") long waiting,
      @Field("events that it did not see because too many waited") long lostEvents,
      @Field("its last fault") @Nullable String fault,
      @Field("when that was") @Nullable Instant faultAt,
      @Field(Field.NODE) @Nullable String node) {}

  /// No choice.
  public record All() {}

  /// The plugins.
  public record Listed(
      @Field("the plugins") List<Row> plugins,
      @Field("plugins that were stopped and whose classes are still in memory: a leak if it lasts")
          List<String> inMemory) {}

  /// A plugin.
  public record Chosen(@Field(value = "the name of the plugin", max = 32) String plugin) {}

  /// A setting of a plugin.
  public record Setting(
      @Field("the name") String name,
      @Field("the type") String type,
      @Field("what it is") String doc,
      @Field(value = "the value for the server, never a secret", max = MOST_VALUE) String value,
      @Field("whether the configuration sets it") boolean configured,
      @Field(value = "the value where the configuration has none", max = MOST_VALUE) String usual,
      @Field("what can be its value") String takes) {}

  /// A plugin in detail.
  public record Shown(
      @Field("the plugin") Row plugin,
      @Field("the version of the interface for which it is built") @Nullable String api,
      @Field("the longest call of a handler, in ms") long timeLimit,
      @Field("whether its handlers run on the event loops of the server") boolean inline,
      @Field("its settings, which are in [plugin.NAME]") List<Setting> settings) {}

  /// A jar.
  public record New(
      @Field(value = "the jar, in base64", form = Form.LINES, max = MOST_TEXT) String jar,
      @Field(value = "the hash that the jar must have (SHA-256)", max = 64)
          @Nullable String sha256) {}

  /// A plugin that was added.
  public record Added(
      @Field("the name") String plugin,
      @Field("the version") String version,
      @Field("the version before; nothing if it is new") @Nullable String versionBefore,
      @Field("the hash of its jar (SHA-256)") String sha256,
      @Field("what it may do") List<String> ports) {}

  /// `plugin.list`.
  public static final Operation<All, Listed> LIST =
      Operation.read("plugin.list", Right.SERVER)
          .ofNodes()
          .at("GET /plugins", "List the plugins, and how they do", All.class, Listed.class);

  /// `plugin.show`.
  public static final Operation<Chosen, Shown> SHOW =
      Operation.read("plugin.show", Right.SERVER)
          .at("GET /plugins/{plugin}", "Show a plugin", Chosen.class, Shown.class);

  /// `plugin.add`.
  public static final Operation<New, Added> ADD =
      Operation.change("plugin.add", Right.CONFIGURATION)
          .at(
              "POST /plugins",
              "Add a plugin, or another version of one, and start it",
              New.class,
              Added.class);

  /// `plugin.enable`.
  public static final Operation<Chosen, Nothing> ENABLE =
      Operation.change("plugin.enable", Right.CONFIGURATION)
          .at("POST /plugins/{plugin}/enable", "Start a plugin again", Chosen.class, Nothing.class);

  /// `plugin.disable`.
  public static final Operation<Chosen, Nothing> DISABLE =
      Operation.change("plugin.disable", Right.CONFIGURATION)
          .at("POST /plugins/{plugin}/disable", "Stop a plugin", Chosen.class, Nothing.class);

  /// `plugin.remove`.
  public static final Operation<Chosen, Nothing> REMOVE =
      Operation.change("plugin.remove", Right.CONFIGURATION)
          .at(
              "DELETE /plugins/{plugin}",
              "Remove a plugin; its values stay in the database",
              Chosen.class,
              Nothing.class);

  /// All of them.
  public static final List<Operation<?, ?>> ALL = List.of(LIST, SHOW, ADD, ENABLE, DISABLE, REMOVE);

  private final AddedPlugins added;
  private final PluginJar.ManifestReader reader;
  private final Configured configured;
  private final InstantSource clock;

  private PluginOperations(
      AddedPlugins added,
      PluginJar.ManifestReader reader,
      Configured configured,
      InstantSource clock) {
    this.added = added;
    this.reader = reader;
    this.configured = configured;
    this.clock = clock;
  }

  /// The operations of a server.
  static List<Offer<?, ?>> of(
      AddedPlugins added,
      PluginJar.ManifestReader reader,
      Configured configured,
      InstantSource clock) {
    PluginOperations operations = new PluginOperations(added, reader, configured, clock);
    return List.of(
        LIST.by((_, _) -> Outcome.done(operations.list())),
        SHOW.by((_, chosen) -> operations.show(chosen)),
        ADD.by(operations::add),
        ENABLE.by((call, chosen) -> operations.set(call, chosen, true)),
        DISABLE.by((call, chosen) -> operations.set(call, chosen, false)),
        REMOVE.by(operations::remove));
  }

  private Listed list() {
    Plugins plugins = added.running();
    Map<String, Plugins.Status> running = plugins.running();
    List<Row> rows =
        added.all().values().stream().map(each -> row(each, running.get(each.name()))).toList();
    List<String> left = new ArrayList<>();
    plugins.inMemory().forEach((since, name) -> left.add(name + ", stopped at " + since));
    return new Listed(rows, left);
  }

  private Row row(AddedPlugin plugin, Plugins.@Nullable Status status) {
    if (status == null) {
      String failure = added.failure(plugin.name());
      return new Row(
          plugin.name(),
          plugin.version(),
          null,
          plugin.enabled() ? PluginState.FAILED : PluginState.DISABLED,
          failure == null ? plugin.reason() : failure,
          null,
          List.of(),
          List.of(),
          plugin.sha256(),
          plugin.size(),
          plugin.added(),
          plugin.by(),
          0,
          0,
          0,
          0,
          0,
          0,
          0,
          0,
          null,
          null,
          null);
    }
    PluginGuard.Counts counts = status.counts();
    PluginFaults.Fault last = status.last();
    return new Row(
        plugin.name(),
        status.manifest().version(),
        status.manifest().title(),
        status.skippedUntil() == null ? PluginState.RUNNING : PluginState.SKIPPED,
        null,
        status.skippedUntil(),
        words(status.manifest()),
        configured.hosts(plugin.name()),
        status.sha256(),
        plugin.size(),
        plugin.added(),
        plugin.by(),
        counts.calls(),
        counts.failed(),
        counts.late(),
        counts.skipped(),
        counts.calls() == 0 ? 0 : counts.time().toNanos() / 1e3 / counts.calls(),
        counts.share() * 100,
        status.waitingEvents(),
        status.lostEvents(),
        last == null ? null : last.what(),
        last == null ? null : last.time(),
        null);
  }

  private static List<String> words(PluginManifest manifest) {
    return manifest.ports().stream().map(PluginPort::word).sorted().toList();
  }

  private Outcome<Shown> show(Chosen chosen) {
    AddedPlugin found = added.all().get(chosen.plugin());
    if (found == null) {
      return missing(chosen);
    }
    Plugins.Status status = added.running().running().get(found.name());
    Row row = row(found, status);
    if (status == null) {
      return Outcome.done(new Shown(row, null, 0, false, List.of()));
    }
    PluginManifest manifest = status.manifest();
    return Outcome.done(
        new Shown(
            row,
            manifest.api(),
            manifest.timeLimit().toMillis(),
            manifest.inline(),
            configured.settings(manifest).stream()
                .flatMap(each ->
                    Stream.ofNullable(manifest.settings().get(each.name()))
                        .map(declared -> setting(declared, each)))
                .toList()));
  }

  private static Setting setting(SettingDeclaration declared, PluginSetting found) {
    return new Setting(
        declared.name(),
        declared.type().word(),
        declared.doc(),
        found.value(),
        found.set(),
        PluginSetting.toml(declared, declared.usual()),
        declared.expectation());
  }

  private static <T extends Record> Outcome<T> missing(Chosen chosen) {
    return Outcome.notFound("There is no plugin " + chosen.plugin() + ".");
  }

  private Outcome<Added> add(Call call, New wanted) {
    PluginJar jar;
    try {
      byte[] bytes = Base64.getMimeDecoder().decode(wanted.jar());
      jar = PluginJar.read(bytes, reader);
    } catch (IllegalArgumentException e) {
      return Outcome.invalid("jar", "jar is not base64.");
    } catch (PluginJarException e) {
      return Outcome.invalid("jar", String.valueOf(e.getMessage()));
    }
    String pinned = wanted.sha256();
    if (pinned != null && !pinned.equalsIgnoreCase(jar.sha256())) {
      return Outcome.invalid("sha256", "The jar has the hash " + jar.sha256() + ".");
    }
    PluginManifest manifest = jar.manifest();
    Map<String, AddedPlugin> all = added.all();
    AddedPlugin before = all.get(manifest.name());
    if (before == null && all.size() >= AddedPlugins.MOST) {
      return Outcome.refused(
          Outcome.Reason.TOO_MANY, "There are at most " + AddedPlugins.MOST + " plugins.");
    }
    AddedPlugin plugin =
        new AddedPlugin(
            manifest.name(),
            manifest.version(),
            jar.sha256(),
            jar.bytes().length,
            true,
            null,
            clock.instant(),
            call.caller().name());
    String failure = added.add(jar, plugin);
    if (failure != null) {
      return Outcome.refused(
          Outcome.Reason.CONFLICT,
          "The plugin " + manifest.name() + " does not start: " + failure + ".");
    }
    call.changed("plugin", before == null ? null : said(before), said(plugin));
    return Outcome.done(
        new Added(
            manifest.name(),
            manifest.version(),
            before == null ? null : before.version(),
            jar.sha256(),
            words(manifest)));
  }

  private static String said(AddedPlugin plugin) {
    return plugin.name() + " " + plugin.version() + " " + plugin.sha256();
  }

  private Outcome<Nothing> set(Call call, Chosen chosen, boolean on) {
    AddedPlugin found = added.all().get(chosen.plugin());
    if (found == null) {
      return missing(chosen);
    }
    String failure = added.set(on ? found.on() : found.off(null));
    if (failure != null) {
      return Outcome.refused(
          Outcome.Reason.CONFLICT,
          "The plugin " + found.name() + " does not start: " + failure + ".");
    }
    call.changed("enabled", Objects.toString(found.enabled()), Objects.toString(on));
    return Nothing.done();
  }

  private Outcome<Nothing> remove(Call call, Chosen chosen) {
    AddedPlugin found = added.all().get(chosen.plugin());
    if (found == null) {
      return missing(chosen);
    }
    added.remove(found);
    call.changed("plugin", said(found), null);
    return Nothing.done();
  }
}
