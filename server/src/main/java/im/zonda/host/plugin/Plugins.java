package im.zonda.host.plugin;

import im.zonda.account.provider.AccountProvider;
import im.zonda.host.plugin.guard.PluginCallException;
import im.zonda.host.plugin.guard.PluginFaults;
import im.zonda.host.plugin.guard.PluginGuard;
import im.zonda.host.plugin.manifest.PluginManifest;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The plugins that run at this node. Starts and stops happen one after another; any thread may
/// call.
public final class Plugins {
  private static final Logger LOG = LoggerFactory.getLogger(Plugins.class);

  /// A plugin that runs.
  ///
  /// @param manifest its manifest
  /// @param sha256 the hash of its jar
  /// @param skippedUntil until when its handlers are skipped; null if they are called
  /// @param counts what was counted since it was started
  /// @param lostEvents events that it did not see because too many waited
  /// @param waitingEvents events that wait for it
  /// @param last its last fault, or null
  public record Status(
      PluginManifest manifest,
      String sha256,
      @Nullable Instant skippedUntil,
      PluginGuard.Counts counts,
      long lostEvents,
      int waitingEvents,
      PluginFaults.@Nullable Fault last) {}

  private record Entry(RunningPlugin plugin, Path jar, String sha256) {}

  private record Stopped(String name, Instant since, WeakReference<ClassLoader> classes) {}

  private final PluginSurroundings surroundings;
  private final BiConsumer<String, String> disabled;
  private final Map<String, Entry> running = new ConcurrentSkipListMap<>();

  private final Queue<Stopped> stopped = new ConcurrentLinkedQueue<>();

  /// @param disabled called with the name of a plugin that has stopped because of its faults, and
  ///   with the last of them; may block
  public Plugins(PluginSurroundings surroundings, BiConsumer<String, String> disabled) {
    this.surroundings = surroundings;
    this.disabled = disabled;
  }

  /// Starts a plugin, in place of the one of the same name. Blocks.
  ///
  /// @param jar the file, which stays as it is while the plugin runs
  /// @throws PluginCallException if it does not start, with the reason for the operator; the one
  ///   that ran before runs again
  public synchronized void start(PluginManifest manifest, Path jar, String sha256)
      throws PluginCallException {
    String name = manifest.name();
    Entry before = running.get(name);
    stop(name);
    try {
      begin(manifest, jar, sha256);
    } catch (PluginCallException e) {
      LOG.atError()
          .addKeyValue("plugin", name)
          .addKeyValue("version", manifest.version())
          .addKeyValue("reason", e.getMessage())
          .log("plugin_not_started");
      if (before != null) {
        begin(before.plugin().manifest(), before.jar(), before.sha256());
      }
      throw e;
    }
  }

  private void begin(PluginManifest manifest, Path jar, String sha256) throws PluginCallException {
    String name = manifest.name();
    RunningPlugin started =
        RunningPlugin.start(
            manifest,
            jar,
            surroundings,
            () -> surroundings.runtime().workers().execute(() -> disable(name, sha256)));
    running.put(name, new Entry(started, jar, sha256));
    LOG.atInfo()
        .addKeyValue("plugin", name)
        .addKeyValue("version", manifest.version())
        .addKeyValue("sha256", sha256)
        .log("plugin_started");
  }

  /// A plugin has had too many faults.
  private void disable(String name, String sha256) {
    String reason;
    synchronized (this) {
      Entry entry = running.get(name);
      if (entry == null || !entry.sha256().equals(sha256)) {
        return;
      }
      PluginFaults.Fault last = entry.plugin().guard().faults().last();
      reason = last == null ? "it had too many faults" : last.what();
      stop(name);
    }
    disabled.accept(name, reason);
  }

  /// Stops a plugin, if it runs. Blocks, for some seconds at most.
  public synchronized void stop(String name) {
    Entry entry = running.remove(name);
    if (entry != null) {
      stopped.add(
          new Stopped(name, surroundings.runtime().clock().instant(), entry.plugin().stop()));
      LOG.atInfo().addKeyValue("plugin", name).log("plugin_stopped");
    }
  }

  /// Stops all plugins.
  public synchronized void close() {
    List.copyOf(running.keySet()).forEach(this::stop);
  }

  /// Has plugins take over changed settings; those that cannot are started again. Blocks.
  ///
  /// @param changed whether the settings of a plugin have changed
  /// @param failures gets what could not be done, in sentences for the administrator
  public synchronized void reload(Predicate<String> changed, List<String> failures) {
    for (Entry each : List.copyOf(running.values())) {
      RunningPlugin plugin = each.plugin();
      try {
        if (changed.test(plugin.name()) && !plugin.reload()) {
          start(plugin.manifest(), each.jar(), each.sha256());
        }
      } catch (PluginCallException e) {
        failures.add("the plugin " + plugin.name() + " did not start again: " + e.getMessage());
      }
    }
  }

  /// The plugins that run, by name.
  public Map<String, Status> running() {
    Instant now = surroundings.runtime().clock().instant();
    Map<String, Status> all = new TreeMap<>();
    running.forEach((name, each) -> {
      RunningPlugin plugin = each.plugin();
      PluginFaults faults = plugin.guard().faults();
      all.put(
          name,
          new Status(
              plugin.manifest(),
              each.sha256(),
              faults.skippedUntil(now),
              plugin.guard().counts(),
              plugin.events().lost(),
              plugin.events().size(),
              faults.last()));
    });
    return all;
  }

  /// The provider of accounts of a plugin; null if it does not run, or has none.
  public @Nullable AccountProvider provider(String name) {
    Entry entry = running.get(name);
    return entry == null ? null : entry.plugin().provider();
  }

  /// Names of plugins that were stopped and whose classes are still in memory, with when they were
  /// stopped: soon after that usual, later a leak of the plugin.
  public Map<Instant, String> inMemory() {
    stopped.removeIf(each -> each.classes().refersTo(null));
    Map<Instant, String> left = new TreeMap<>();
    stopped.forEach(each -> left.put(each.since(), each.name()));
    return left;
  }
}
