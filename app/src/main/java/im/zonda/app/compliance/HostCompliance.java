package im.zonda.app.compliance;

import im.zonda.app.compliance.ComplianceSuites.Feature;
import im.zonda.config.ServerConfig;
import im.zonda.host.VirtualHost;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The features of the compliance suites that one host of a running server provides: by its
/// installed modules, and by the configuration in force where a part of the server has to be
/// switched on.
final class HostCompliance {
  private static final Set<String> RFCS = Set.of("RFC 6120", "RFC 6121", "RFC 7590");
  private static final String WEBSOCKET = "RFC 7395";
  private static final String NO_HTTP = "http.listen and http.listen-tls are empty";

  private final String domain;
  private final Set<String> installed;
  private final Set<String> optional;
  private final ImplementedXeps implemented;
  private final ServerConfig config;

  /// @param optional the names of all modules that can be switched off
  /// @param config the configuration in force, of the whole server
  HostCompliance(
      VirtualHost host, Set<String> optional, ImplementedXeps implemented, ServerConfig config) {
    this.domain = host.domain().domain();
    this.installed = host.modules();
    this.optional = optional;
    this.implemented = implemented;
    this.config = config.at(domain);
  }

  /// What is missing of a feature.
  ///
  /// @param provider the specification
  /// @param reason what must be done to have it; null if the program does not implement it
  record Missing(String provider, @Nullable String reason) {}

  String domain() {
    return domain;
  }

  /// What is missing of each feature; empty for what there is.
  Map<Feature, List<Missing>> features() {
    Map<Feature, List<Missing>> features = new LinkedHashMap<>();
    for (Feature feature : ComplianceSuites.ALL) {
      features.put(
          feature,
          feature.providers().stream()
              .filter(provider -> !RFCS.contains(provider))
              .map(this::missing)
              .filter(missing -> !missing.provider().isEmpty())
              .toList());
    }
    return features;
  }

  /// What is missing of a specification; with an empty name if nothing is.
  private Missing missing(String provider) {
    if (provider.equals(WEBSOCKET)) {
      return config.http().isOn() ? new Missing("", null) : new Missing(WEBSOCKET, NO_HTTP);
    }
    int number =
        provider.startsWith("XEP-") ? Integer.parseInt(provider.substring("XEP-".length())) : 0;
    Set<String> places = implemented.of(number);
    if (places.isEmpty()) {
      return new Missing(provider, null);
    }
    String off =
        places.stream()
            .filter(place -> optional.contains(place) && !installed.contains(place))
            .sorted()
            .collect(Collectors.joining(", "));
    boolean on =
        places.stream().anyMatch(place -> !optional.contains(place) || installed.contains(place));
    String switchedOff = switches().get(number);
    if (!on) {
      return new Missing(provider, "modules-off contains " + off);
    }
    return switchedOff == null ? new Missing("", null) : new Missing(provider, switchedOff);
  }

  /// What has to be set for a XEP that is implemented and not in use.
  private Map<Integer, String> switches() {
    Map<Integer, String> off = new TreeMap<>();
    if (config.component().listen().isEmpty()) {
      off.put(114, "component.listen is empty");
    }
    if (!config.http().isOn()) {
      off.put(206, NO_HTTP);
    } else if (!config.http().bosh()) {
      off.put(206, "http.bosh is false");
    }
    if (config.services().external().isEmpty()) {
      off.put(215, "services.external is empty");
    }
    if (!config.storage().archive()) {
      off.put(313, "storage.archive is false");
    }
    if (config.c2s().listenTls().isEmpty()) {
      off.put(368, "c2s.listen-tls is empty");
    }
    if (!config.offersUploads(domain)) {
      off.put(363, "services.uploads needs HTTPS, and storage.files in a cluster");
    }
    return off;
  }
}
