package im.zonda.app.compliance;

import im.zonda.app.compliance.ComplianceSuites.Feature;
import im.zonda.app.compliance.ComplianceSuites.Level;
import im.zonda.app.compliance.HostCompliance.Missing;
import im.zonda.config.ServerConfig;
import im.zonda.host.VirtualHost;
import im.zonda.operation.Field;
import im.zonda.operation.Field.Form;
import im.zonda.operation.Offer;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Right;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The operation that compares the hosts with the XMPP Compliance Suites (XEP-0479).
///
/// @param hosts the hosts at present
/// @param optional the names of the modules that can be switched off
/// @param config the configuration in force
public record ComplianceOperations(
    Supplier<List<VirtualHost>> hosts, Set<String> optional, Supplier<ServerConfig> config) {
  /// Which host.
  public record Chosen(
      @Field(value = "only this host", form = Form.DOMAIN) @Nullable String domain) {}

  /// What the hosts have.
  public record Shown(
      @Field("the version of the suites") String version, @Field("the hosts") List<Host> hosts) {}

  /// What a host has.
  public record Host(
      @Field(value = "the domain", form = Form.DOMAIN) String host,
      @Field("the features that the suites demand") List<Demanded> features) {}

  /// A feature that a suite demands.
  public record Demanded(
      @Field("the suite") String suite,
      @Field("the feature") String feature,
      @Field("of which servers: server or advanced") String level,
      @Field("whether the host has it") boolean provided,
      @Field("the specifications that provide it, or what is missing") String text) {}

  /// `compliance.show`.
  public static final Operation<Chosen, Shown> SHOW =
      Operation.read("compliance.show", Right.CONFIGURATION)
          .at(
              "GET /compliance",
              "Say what the hosts have of the XMPP Compliance Suites",
              Chosen.class,
              Shown.class);

  /// The definitions.
  public static final List<Operation<?, ?>> ALL = List.of(SHOW);

  /// The operation.
  public List<Offer<?, ?>> offers() {
    return List.of(SHOW.by((_, chosen) -> Outcome.done(show(chosen))));
  }

  /// What the hosts have.
  public Shown show(Chosen chosen) {
    ImplementedXeps implemented = ImplementedXeps.read();
    return new Shown(
        ComplianceSuites.VERSION,
        hosts.get().stream()
            .filter(
                each -> chosen.domain() == null || each.domain().domain().equals(chosen.domain()))
            .map(each -> host(new HostCompliance(each, optional, implemented, config.get())))
            .toList());
  }

  private static Host host(HostCompliance host) {
    List<Demanded> features = new ArrayList<>();
    for (Map.Entry<Feature, List<Missing>> each : host.features().entrySet()) {
      Feature feature = each.getKey();
      features.add(
          new Demanded(
              feature.suite(),
              feature.name(),
              feature.level() == Level.SERVER ? "server" : "advanced",
              each.getValue().isEmpty(),
              text(feature, each.getValue())));
    }
    return new Host(host.domain(), features);
  }

  private static String text(Feature feature, List<Missing> missing) {
    if (missing.isEmpty()) {
      return "yes (" + String.join(", ", feature.providers()) + ")";
    }
    return missing.stream()
        .map(each ->
            each.reason() == null
                ? "no " + each.provider()
                : "off " + each.provider() + ": " + each.reason())
        .collect(Collectors.joining("; "));
  }
}
