package im.zonda.app.settings;

import im.zonda.app.settings.check.AccountChecks;
import im.zonda.app.settings.check.AcmeChecks;
import im.zonda.app.settings.check.ApiChecks;
import im.zonda.app.settings.check.ClusterChecks;
import im.zonda.app.settings.check.GroupChecks;
import im.zonda.app.settings.check.HttpChecks;
import im.zonda.app.settings.check.LimitChecks;
import im.zonda.app.settings.check.ProxyChecks;
import im.zonda.app.settings.check.TokenChecks;
import im.zonda.app.settings.check.WebChecks;
import im.zonda.app.settings.plugin.AddedManifests;
import im.zonda.app.settings.plugin.PluginChecks;
import im.zonda.app.settings.toml.Place;
import im.zonda.app.settings.toml.Problem;
import im.zonda.app.settings.toml.Words;
import im.zonda.config.Edges;
import im.zonda.config.Proxy;
import im.zonda.config.Rooms;
import im.zonda.config.S2s;
import im.zonda.config.ServerConfig;
import im.zonda.config.ServerConfig.Registration;
import im.zonda.config.ServerConfig.Tls;
import im.zonda.config.Services;
import im.zonda.config.Storage;
import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Checks that involve more than one key.
final class Checks {
  private final ServerConfig config;
  private final Map<String, Place> places;
  private final Set<String> modules;
  private final List<Problem> problems;

  Checks(
      ServerConfig config, Map<String, Place> places, Set<String> modules, List<Problem> problems) {
    this.config = config;
    this.places = places;
    this.modules = new HashSet<>(modules);
    this.problems = problems;
  }

  /// Reports keys that contradict each other; `start` is the beginning of the file.
  ///
  /// @param plugins those that are added
  void run(Place start, AddedManifests plugins) {
    if (config.hosts().isEmpty()) {
      report("hosts", start, "hosts must name at least one domain");
    }
    if (config.c2s().listen().isEmpty() && config.c2s().listenTls().isEmpty()) {
      report("c2s.listen-tls", start, "c2s.listen and c2s.listen-tls are both empty");
    }
    modules.addAll(plugins.byName().keySet()); // a plugin is a module of a host
    modules.addAll(plugins.before());
    modules.addAll(config.plugin().keySet());
    modules("modules-off", config.modulesOff(), start);
    rooms("rooms", config.rooms(), start);
    proxy(config.proxy(), start);
    new HttpChecks((path, text) -> report(path, start, text)).run(config.http());
    new ApiChecks((path, text) -> report(path, start, text)).run(config);
    tokens(start);
    new ProxyChecks((path, text) -> report(path, start, text)).run(config);
    tls("tls", config.tls(), start);
    new AcmeChecks(config, (path, text) -> report(path, start, text)).run();
    database(config.storage(), start);
    s2s(config.s2s(), start);
    edges(config.edges(), start);
    new ComponentChecks(config, (path, text) -> report(path, start, text)).run();
    services("services", config.services(), start);
    registration("registration", config.registration(), start);
    AccountChecks accounts = new AccountChecks((path, text) -> report(path, start, text));
    accounts.run("accounts", config.accounts());
    GroupChecks groups = new GroupChecks((path, text) -> report(path, start, text));
    config.hosts().forEach(host -> groups.run(host, config));
    new PluginChecks(plugins, (path, text) -> report(path, start, text)).errors(config);
    new ClusterChecks(config, (path, text) -> report(path, start, text)).run();
    domains(start);
    new LimitChecks(places::containsKey, (path, text) -> report(path, start, text)).run(config);
    hosts(accounts, start);
  }

  private void hosts(AccountChecks accounts, Place start) {
    config
        .host()
        .forEach((domain, host) -> {
          String path = "host." + domain;
          if (!config.hosts().contains(domain)) {
            String hint = Words.suggestion(domain, config.hosts());
            report(path, start, "hosts does not name " + domain + hint);
          }
          modules(path + ".modules-off", host.modulesOff(), start);
          if (host.rooms() != null) {
            rooms(path + ".rooms", host.rooms(), start);
          }
          if (host.services() != null) {
            services(path + ".services", host.services(), start);
          }
          if (host.registration() != null) {
            registration(path + ".registration", host.registration(), start);
          }
          if (host.accounts() != null) {
            accounts.run(path + ".accounts", host.accounts());
          }
          if (host.tls() != null) {
            tls(path + ".tls", host.tls(), start);
          }
          if (host.origins() != null) {
            new HttpChecks((key, text) -> report(key, start, text))
                .origins(path + ".origins", host.origins());
          }
        });
  }

  private void tokens(Place start) {
    TokenChecks tokens = new TokenChecks((path, text) -> report(path, start, text));
    tokens.run("accounts.jwt", config.accounts().jwt());
    tokens.run(config.admin().sso(), config.hosts());
    config
        .host()
        .forEach((domain, host) -> {
          if (host.accounts() != null) {
            tokens.run("host." + domain + ".accounts.jwt", host.accounts().jwt());
          }
        });
  }

  /// Nobody could answer a question without answers.
  private void registration(String path, Registration registration, Place start) {
    if (registration.question().isBlank()) {
      return;
    }
    if (registration.answers().isEmpty()) {
      report(path + ".question", start, path + ".question has no " + path + ".answers");
    }
    if (registration.answers().stream().anyMatch(String::isBlank)) {
      report(path + ".answers", start, path + ".answers has an empty answer");
    }
  }

  private void s2s(S2s s2s, Place start) {
    readable("s2s.ca", s2s.ca(), start);
    for (String section : List.of("route", "domain")) {
      Map<String, ?> remote = section.equals("route") ? s2s.route() : s2s.domain();
      for (String domain : remote.keySet().stream().sorted().toList()) {
        if (config.hosts().contains(domain)) {
          String path = "s2s." + section + "." + domain;
          report(path, start, path + ": " + domain + " is a host of this server, not a remote one");
        }
      }
    }
  }

  private void edges(Edges edges, Place start) {
    if (!edges.listen().isEmpty()
        && (edges.certificate() == null || edges.key() == null || edges.ca() == null)) {
      report("edges.listen", start, "edges.certificate, edges.key and edges.ca must be set");
    }
    readable("edges.certificate", edges.certificate(), start);
    readable("edges.key", edges.key(), start);
    readable("edges.ca", edges.ca(), start);
  }

  private void database(Storage storage, Place start) {
    if (storage.url().startsWith("sqlite:")) {
      only("storage.user", storage.user(), start);
      only("storage.password", storage.password(), start);
      only("storage.tls", storage.tls(), start);
      only("storage.tls-ca", storage.tlsCa(), start);
    } else if (storage.user() == null) {
      report("storage.url", start, "storage.user must be set for a database server");
    }
    readable("storage.tls-ca", storage.tlsCa(), start);
  }

  /// Reports a key that is set although it is for database servers only.
  private void only(String path, @Nullable Object value, Place start) {
    if (value != null) {
      report(path, start, path + " is for database servers; storage.url is an SQLite file");
    }
  }

  private void modules(String path, @Nullable Collection<String> off, Place start) {
    if (off != null) {
      for (String name : off.stream().sorted().toList()) {
        if (!modules.contains(name)) {
          String hint = Words.suggestion(name, modules);
          report(path, start, "no module \"" + name + "\" can be switched off" + hint);
        }
      }
    }
  }

  private void rooms(String path, Rooms rooms, Place start) {
    if (!isJid(rooms.prefix() + ".example.org", Jid::isDomain)) {
      report(path + ".prefix", start, path + ".prefix is not a part of a domain");
    }
    accounts(path + ".admins", rooms.admins(), start);
  }

  private void proxy(Proxy proxy, Place start) {
    if (!isJid(proxy.prefix() + ".example.org", Jid::isDomain)) {
      report("proxy.prefix", start, "proxy.prefix is not a part of a domain");
    }
    if (proxy.address() != null && proxy.address().isBlank()) {
      report("proxy.address", start, "proxy.address is empty");
    }
  }

  private void accounts(String path, List<String> addresses, Place start) {
    for (String address : addresses) {
      if (!isJid(address, jid -> jid.isBare() && jid.local() != null)) {
        report(
            path, start, path + ": " + address + " is not an account such as juliet@example.org");
      }
    }
  }

  private void services(String path, Services services, Place start) {
    new ServiceChecks(path, services, (place, text) -> report(place, start, text)).run();
    new WebChecks(path + ".web", (place, text) -> report(place, start, text)).run(services.web());
    Map<String, String> prefixes =
        Map.of(
            ".search", services.search().prefix(),
            ".pubsub", services.pubsub().prefix(),
            ".uploads", services.uploads().prefix());
    new TreeMap<>(prefixes)
        .forEach((name, prefix) -> {
          if (!isJid(prefix + ".example.org", Jid::isDomain)) {
            String key = path + name + ".prefix";
            report(key, start, key + " is not a part of a domain");
          }
        });
    accounts(path + ".administration.admins", services.administration().admins(), start);
    accounts(path + ".pubsub.admins", services.pubsub().admins(), start);
  }

  private static boolean isJid(String text, Predicate<Jid> kind) {
    try {
      return kind.test(Jid.of(text));
    } catch (JidFormatException e) {
      return false;
    }
  }

  /// No domain may be served twice.
  private void domains(Place start) {
    Map<String, String> services = new HashMap<>();
    for (String host : config.hosts()) {
      for (String service : config.serviceDomains(host)) {
        String other = services.put(service, host);
        if (config.hosts().contains(service) || other != null) {
          report(
              "hosts",
              start,
              service
                  + " is "
                  + ServiceNames.of(config, host, service)
                  + " of "
                  + host
                  + " and cannot be served twice; "
                  + ServiceNames.prefixKey(config, host, service)
                  + " changes its name");
        }
      }
    }
  }

  private void tls(String path, Tls tls, Place start) {
    if ((tls.certificate() == null) != (tls.key() == null)) {
      String missing = tls.key() == null ? "key" : "certificate";
      report(
          path,
          start,
          path
              + ".certificate and "
              + path
              + ".key must be set together; "
              + missing
              + " is missing");
    }
    readable(path + ".certificate", tls.certificate(), start);
    readable(path + ".key", tls.key(), start);
  }

  private void readable(String path, @Nullable Path file, Place start) {
    if (file != null && !Files.isReadable(file)) {
      report(path, start, path + ": " + file + " cannot be read");
    }
  }

  private void report(String path, Place start, String message) {
    problems.add(new Problem(places.getOrDefault(path, start), message));
  }
}
