package im.zonda.host.plugin;

import im.zonda.account.provider.AccountProvider;
import im.zonda.host.XmppServer;
import im.zonda.host.plugin.guard.Held;
import im.zonda.host.plugin.guard.PluginCallException;
import im.zonda.host.plugin.guard.PluginGuard;
import im.zonda.host.plugin.jar.PluginClassLoader;
import im.zonda.host.plugin.manifest.PluginManifest;
import im.zonda.http.HttpException;
import im.zonda.http.HttpHandler;
import im.zonda.http.HttpRequest;
import im.zonda.http.HttpResponse;
import im.zonda.plugin.Plugin;
import im.zonda.plugin.PluginEvent;
import im.zonda.timer.PeriodicTask;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One plugin while it runs: its class loader, its instance and everything that it has declared.
/// Started and stopped once; [#guard] and [#tell] may be called by any thread.
final class RunningPlugin {
  private static final Logger LOG = LoggerFactory.getLogger(RunningPlugin.class);

  /// The longest start.
  private static final Duration START = Duration.ofSeconds(30);

  /// The longest stop.
  private static final Duration STOP = Duration.ofSeconds(10);

  /// How long a plugin that is stopped has for the events that wait for it.
  private static final Duration EVENTS = Duration.ofSeconds(3);

  private static final Duration PAGE = Duration.ofSeconds(30);

  private final PluginManifest manifest;
  private final PluginSurroundings surroundings;
  private final PluginClassLoader classes;
  private final PluginGuard guard;
  private final Declared declared = new Declared();
  private final ServerContext context;
  private final EventQueue events;
  private final PeriodicTask measuring;
  private @Nullable Held<Plugin> instance;
  private @Nullable ProviderCalls provider;

  private RunningPlugin(
      PluginManifest manifest, Path jar, PluginSurroundings surroundings, Runnable disable) {
    this.manifest = manifest;
    this.surroundings = surroundings;
    this.classes = new PluginClassLoader(manifest.name(), jar, Plugin.class.getClassLoader());
    this.guard =
        new PluginGuard(
            manifest.name(),
            classes,
            new PluginGuard.Running(manifest.inline(), manifest.timeLimit()),
            surroundings.runtime().clock(),
            disable);
    this.context = new ServerContext(manifest, surroundings, guard, declared);
    this.events = new EventQueue(guard, declared.listeners);
    this.measuring =
        PeriodicTask.start(surroundings.runtime().scheduler(), PluginGuard.PERIOD, guard::measure);
  }

  /// Starts a plugin, and installs at all hosts what it declares. Blocks.
  ///
  /// @param jar the file, which stays as it is while the plugin runs
  /// @param disable called once the faults of the plugin are too many; returns at once
  /// @throws PluginCallException if that fails, with the reason for the operator; nothing is left
  static RunningPlugin start(
      PluginManifest manifest, Path jar, PluginSurroundings surroundings, Runnable disable)
      throws PluginCallException {
    RunningPlugin started = new RunningPlugin(manifest, jar, surroundings, disable);
    try {
      started.begin();
      return started;
    } catch (PluginCallException | RuntimeException e) {
      WeakReference<?> _ = started.stop();
      throw e instanceof PluginCallException failure
          ? failure
          : new PluginCallException(String.valueOf(e.getMessage()));
    }
  }

  private void begin() throws PluginCallException {
    guard.lifecycle("the start", START, this::create);
    context.declared();
    AccountProvider given = declared.given;
    Held<AccountProvider> held = declared.provider;
    if (given != null && held != null) {
      provider = new ProviderCalls(guard, held, given);
    }
    declared.given = null;
    XmppServer server = surroundings.server();
    server.addModule(name(), host -> new PluginModule(this, declared, host));
    server.catalogue().meters().add(declared.readings);
  }

  private @Nullable Object create() throws Exception {
    Class<?> main = Class.forName(manifest.mainClass(), true, classes);
    if (!Plugin.class.isAssignableFrom(main)) {
      throw new IllegalStateException(manifest.mainClass() + " does not implement Plugin");
    }
    Plugin created = main.asSubclass(Plugin.class).getConstructor().newInstance();
    instance = guard.hold(created);
    created.start(context);
    return null;
  }

  /// Withdraws everything that the plugin has declared, lets it release what it holds, and cuts
  /// what the server had of it. Blocks, for some seconds at most.
  ///
  /// @return the class loader, which goes once nothing refers to its classes
  WeakReference<ClassLoader> stop() {
    measuring.cancel();
    surroundings.server().removeModule(name());
    surroundings.server().catalogue().meters().remove(declared.readings);
    awaitEvents();
    context.close();
    Held<Plugin> running = instance;
    if (running != null) {
      try {
        guard.lifecycle(
            "the stop",
            STOP,
            running,
            plugin -> {
              plugin.stop();
              return null;
            });
      } catch (PluginCallException e) {
        LOG.atWarn()
            .addKeyValue("plugin", name())
            .addKeyValue("reason", e.getMessage())
            .log("plugin_not_stopped");
      }
    }
    List<String> left = guard.stop();
    if (!left.isEmpty()) {
      LOG.atError()
          .addKeyValue("plugin", name())
          .addKeyValue("threads", left)
          .log("plugin_threads_left");
    }
    instance = null;
    try {
      classes.close();
    } catch (IOException e) {
      LOG.atWarn().addKeyValue("plugin", name()).setCause(e).log("plugin_jar_not_closed");
    }
    return new WeakReference<>(classes);
  }

  private void awaitEvents() {
    try {
      if (!events.awaitHandled(EVENTS)) {
        LOG.atWarn()
            .addKeyValue("plugin", name())
            .addKeyValue("events", events.size())
            .log("plugin_events_lost");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// Has the plugin take over changed settings.
  ///
  /// @return false if it must be stopped and started again
  boolean reload() {
    Held<Plugin> running = instance;
    boolean[] taken = new boolean[1];
    context.reload();
    if (running != null) {
      try {
        guard.lifecycle(
            "the change of settings",
            STOP,
            running,
            plugin -> {
              taken[0] = plugin.reload();
              return null;
            });
      } catch (PluginCallException e) {
        return false;
      }
    }
    return taken[0];
  }

  String name() {
    return manifest.name();
  }

  PluginManifest manifest() {
    return manifest;
  }

  PluginGuard guard() {
    return guard;
  }

  EventQueue events() {
    return events;
  }

  InstantSource clock() {
    return surroundings.runtime().clock();
  }

  /// The provider of accounts, or null.
  @Nullable AccountProvider provider() {
    return provider;
  }

  /// Tells the plugin that something has happened. Never blocks.
  void tell(PluginEvent event) {
    events.add(event);
  }

  /// Answers a request by HTTP.
  HttpResponse page(Held<HttpHandler> handler, HttpRequest request) throws IOException {
    try {
      HttpResponse response =
          guard.callLong(
              handler, "pages", PAGE, HttpException.class, given -> given.handle(request));
      return response == null ? HttpResponse.text(500, "no answer") : response;
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return HttpResponse.text(503, "interrupted");
    } catch (Exception e) {
      return HttpResponse.text(502, String.valueOf(e.getMessage()));
    }
  }
}
