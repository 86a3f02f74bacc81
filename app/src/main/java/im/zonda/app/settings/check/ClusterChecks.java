package im.zonda.app.settings.check;

import im.zonda.config.Cluster;
import im.zonda.config.ServerConfig;
import im.zonda.config.Uploads;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Checks of the settings of a cluster.
public final class ClusterChecks {
  /// A name in log lines, in the row of the cluster and in addresses of the engine.
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9-]{0,62}");

  private static final Pattern LOOPBACK =
      Pattern.compile("(127\\.\\d+\\.\\d+\\.\\d+|localhost|\\[::1])");
  private static final List<String> WILDCARDS = List.of("0.0.0.0", "[::]");

  private final ServerConfig config;
  private final Cluster cluster;
  private final BiConsumer<String, String> report;

  /// @param report gets the dotted path and the text of each problem
  public ClusterChecks(ServerConfig config, BiConsumer<String, String> report) {
    this.config = config;
    this.cluster = config.cluster();
    this.report = report;
  }

  public void run() {
    if (cluster.name() == null) {
      if (!cluster.equals(Cluster.DEFAULTS)) {
        report.accept("cluster", "cluster.name must be set for a node of a cluster");
      }
      return;
    }
    name("cluster.name", cluster.name());
    name("cluster.node", cluster.node());
    cluster.peers().forEach(peer -> port("cluster.peers", peer));
    if (config.storage().url().startsWith("sqlite:")) {
      report.accept(
          "cluster.name",
          "a cluster needs a database on a server, PostgreSQL or MariaDB; storage.url is an SQLite"
              + " file");
    }
    if (!config.services().uploads().equals(Uploads.DEFAULTS)
        && config.services().uploads().enabled()
        && config.storage().files() == null) {
      report.accept(
          "services.uploads",
          "services.uploads needs storage.files in a cluster: a folder that all nodes share");
    }
    tls();
    bind(cluster.bind());
    advertise(cluster.advertise());
  }

  private void name(String path, @Nullable String name) {
    if (name == null) {
      report.accept(path, path + " must be set for a node of a cluster");
    } else if (!NAME.matcher(name).matches()) {
      report.accept(path, path + " must be letters, digits and hyphens, at most 63");
    }
  }

  private void port(String path, String address) {
    if (address.endsWith(":0")) {
      report.accept(path, path + ": " + address + " has no port");
    }
  }

  private void bind(@Nullable String bind) {
    String path = "cluster.bind";
    if (bind == null) {
      report.accept(path, path + " must be set for a node of a cluster");
      return;
    }
    port(path, bind);
    String host = bind.substring(0, bind.lastIndexOf(':'));
    if (WILDCARDS.contains(host)) {
      report.accept(path, path + " must be one address, which the other nodes connect to");
    } else if (cluster.tls().trust() == null && !LOOPBACK.matcher(host).matches()) {
      report.accept(
          path, path + ": " + host + " is not a loopback address, so cluster.tls must be set");
    }
  }

  private void advertise(@Nullable String advertise) {
    String path = "cluster.advertise";
    if (advertise != null) {
      port(path, advertise);
      if (WILDCARDS.contains(advertise.substring(0, advertise.lastIndexOf(':')))) {
        report.accept(path, path + " must be one address, which the other nodes connect to");
      }
    }
  }

  private void tls() {
    Cluster.Tls tls = cluster.tls();
    List<@Nullable Path> files = Arrays.asList(tls.certificate(), tls.key(), tls.trust());
    if (files.contains(null) && files.stream().anyMatch(Objects::nonNull)) {
      report.accept(
          "cluster.tls",
          "cluster.tls.certificate, cluster.tls.key and cluster.tls.trust must be set together");
    }
    for (Path file : files) {
      if (file != null && !Files.isReadable(file)) {
        report.accept("cluster.tls", "cluster.tls: " + file + " cannot be read");
      }
    }
  }
}
