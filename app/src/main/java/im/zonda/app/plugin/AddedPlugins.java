package im.zonda.app.plugin;

import im.zonda.host.plugin.Plugins;
import im.zonda.host.plugin.guard.PluginCallException;
import im.zonda.host.plugin.jar.PluginJar;
import im.zonda.host.plugin.jar.PluginJarException;
import im.zonda.host.plugin.manifest.PluginManifest;
import im.zonda.jid.Jid;
import im.zonda.store.KeyValueStore;
import im.zonda.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The plugins that were added, and those of them that run at this node. The database has the
/// truth: each node runs what is enabled there. Calls block; any thread may call.
public final class AddedPlugins {
  /// The key-value store.
  public static final String STORE = "plugins";

  private static final Duration RETRY = Duration.ofMinutes(1);
  private static final Duration LONGEST_RETRY = Duration.ofHours(1);

  /// The most plugins.
  static final int MOST = 50;

  private static final Logger LOG = LoggerFactory.getLogger(AddedPlugins.class);

  /// To whom the values belong: the server as a whole.
  private static final Jid OWNER = Jid.of(null, "zonda.invalid", null);

  private final KeyValueStore store;
  private final PluginJars jars;
  private final PluginJar.ManifestReader reader;
  private final Plugins plugins;
  private final InstantSource clock;
  private final Runnable changed;

  /// Why a plugin that is enabled does not run at this node.
  ///
  /// @param sha256 the hash of the jar that has failed
  /// @param delay for how long the plugin was not tried again
  /// @param retry when it is tried again
  private record Failure(String sha256, String reason, Duration delay, Instant retry) {}

  private volatile List<AddedPlugin> known = List.of();
  private final Map<String, Failure> failures = new ConcurrentHashMap<>();

  /// @param changed notifies the other nodes of a cluster; returns at once
  AddedPlugins(
      KeyValueStore store,
      PluginJars jars,
      PluginJar.ManifestReader reader,
      Plugins plugins,
      InstantSource clock,
      Runnable changed) {
    this.store = store;
    this.jars = jars;
    this.reader = reader;
    this.plugins = plugins;
    this.clock = clock;
    this.changed = changed;
  }

  /// What was added, by name. A damaged record costs itself alone.
  Map<String, AddedPlugin> all() {
    Map<String, AddedPlugin> all = new TreeMap<>();
    store
        .all(OWNER)
        .forEach((name, stored) -> {
          try {
            all.put(name, AddedPlugin.read(name, stored));
          } catch (IllegalArgumentException e) {
            LOG.atError().addKeyValue("plugin", name).setCause(e).log("plugin_damaged");
          }
        });
    known = List.copyOf(all.values());
    return all;
  }

  /// What was added, as far as this node knows. Does not block.
  List<AddedPlugin> known() {
    return known;
  }

  /// The plugins that run at this node.
  Plugins running() {
    return plugins;
  }

  /// Why a plugin does not run at this node although it is enabled; null if it runs, or if it was
  /// not tried.
  @Nullable String failure(String name) {
    Failure failure = failures.get(name);
    return failure == null ? null : failure.reason();
  }

  /// Runs what is enabled in the database, and nothing else. What does not start is logged, and is
  /// tried again later.
  public synchronized void apply() {
    Map<String, AddedPlugin> all = all();
    Map<String, Plugins.Status> now = plugins.running();
    now.forEach((name, status) -> {
      AddedPlugin added = all.get(name);
      if (added == null || !added.enabled()) {
        plugins.stop(name);
      }
    });
    failures
        .keySet()
        .removeIf(name -> {
          AddedPlugin added = all.get(name);
          return added == null || !added.enabled();
        });
    for (AddedPlugin each : all.values()) {
      Plugins.Status status = now.get(each.name());
      Failure failure = failures.get(each.name());
      boolean runs = status != null && status.sha256().equals(each.sha256());
      boolean tried =
          failure != null
              && failure.sha256().equals(each.sha256())
              && clock.instant().isBefore(failure.retry());
      if (each.enabled() && !runs && !tried) {
        String _ = start(each);
      }
    }
    try {
      jars.keepFiles(all.values().stream());
    } catch (IOException e) {
      LOG.atWarn().setCause(e).log("plugin_files_not_deleted");
    }
  }

  /// As [#apply], when another node may have changed something; a failure is logged.
  void applyAgain() {
    try {
      apply();
    } catch (StoreException e) {
      LOG.atError().setCause(e).log("plugins_not_read");
    }
  }

  /// Starts a plugin; returns why it has not started, or null.
  private @Nullable String start(AddedPlugin added) {
    String reason;
    try {
      Path file = jars.file(added);
      PluginManifest manifest = PluginJar.read(Files.readAllBytes(file), reader).manifest();
      plugins.start(manifest, file, added.sha256());
      failures.remove(added.name());
      return null;
    } catch (PluginJarException | PluginCallException | IOException e) {
      reason = String.valueOf(e.getMessage());
    }
    Failure before = failures.get(added.name());
    Duration delay =
        before == null || !before.sha256().equals(added.sha256())
            ? RETRY
            : shorter(before.delay().multipliedBy(2), LONGEST_RETRY);
    failures.put(
        added.name(), new Failure(added.sha256(), reason, delay, clock.instant().plus(delay)));
    LOG.atError()
        .addKeyValue("plugin", added.name())
        .addKeyValue("reason", reason)
        .log("plugin_does_not_run");
    return reason;
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  /// Adds a plugin, or another version of one, and starts it here and then at the other nodes.
  ///
  /// @return why it does not start: then everything is as before; null if it runs
  synchronized @Nullable String add(PluginJar jar, AddedPlugin added) {
    AddedPlugin before = all().get(added.name());
    jars.put(jar);
    String reason = start(added);
    if (reason != null) {
      failures.remove(added.name());
      if (before == null || !before.sha256().equals(added.sha256())) {
        jars.remove(added.sha256());
      }
      return reason;
    }
    store.put(OWNER, added.name(), added.write());
    if (before != null && !before.sha256().equals(added.sha256())) {
      jars.remove(before.sha256());
    }
    told();
    return null;
  }

  /// Switches a plugin on or off.
  ///
  /// @return why it does not start: then it stays off; null otherwise
  synchronized @Nullable String set(AddedPlugin wanted) {
    if (wanted.enabled()) {
      String reason = start(wanted);
      if (reason != null) {
        failures.remove(wanted.name());
        return reason;
      }
    } else {
      plugins.stop(wanted.name());
    }
    store.put(OWNER, wanted.name(), wanted.write());
    told();
    return null;
  }

  /// A plugin was stopped here because of its faults: it is off at all nodes.
  void disabled(String name, String reason) {
    try {
      AddedPlugin added = all().get(name);
      if (added != null) {
        store.put(OWNER, name, added.off(reason).write());
        told();
      }
    } catch (StoreException e) {
      LOG.atError().addKeyValue("plugin", name).setCause(e).log("plugin_not_switched_off");
    }
  }

  /// What the database has now is known here, and the other nodes look there.
  private void told() {
    var _ = all();
    changed.run();
  }

  /// Removes a plugin. Its values stay in the database.
  synchronized void remove(AddedPlugin added) {
    plugins.stop(added.name());
    boolean _ = store.remove(OWNER, added.name());
    jars.remove(added.sha256());
    failures.remove(added.name());
    told();
  }
}
