package im.zonda.app.compliance;

import static im.zonda.app.compliance.ComplianceSuites.CORE;

import im.zonda.app.compliance.ComplianceSuites.Feature;
import im.zonda.app.compliance.ComplianceSuites.Level;
import im.zonda.app.compliance.HostCompliance.Missing;
import im.zonda.app.control.ControlCommand;
import im.zonda.config.ServerConfig;
import im.zonda.host.VirtualHost;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/// `zonda compliance` in the running server.
///
/// @param hosts the hosts at present
/// @param optional the names of the modules that can be switched off
/// @param config the configuration in force
public record ComplianceCommand(
    Supplier<List<VirtualHost>> hosts, Set<String> optional, Supplier<ServerConfig> config)
    implements ControlCommand {
  /// The name of the command on the control socket.
  public static final String NAME = "compliance";

  @Override
  public String run(List<String> arguments) {
    if (!arguments.isEmpty()) {
      throw new IllegalArgumentException("compliance has no arguments");
    }
    ImplementedXeps implemented = ImplementedXeps.read();
    StringBuilder out = new StringBuilder(ComplianceSuites.VERSION).append('\n');
    for (VirtualHost host : hosts.get()) {
      print(new HostCompliance(host, optional, implemented, config.get()), out);
    }
    return out.toString();
  }

  private static void print(HostCompliance host, StringBuilder out) {
    Map<Feature, List<Missing>> features = host.features();
    out.append('\n').append(host.domain()).append('\n');
    String suite = "";
    for (Map.Entry<Feature, List<Missing>> each : features.entrySet()) {
      Feature feature = each.getKey();
      if (!feature.suite().equals(suite)) {
        suite = feature.suite();
        out.append("  ").append(suite).append(": server ");
        out.append(verdict(features, suite, Level.SERVER)).append(", advanced server ");
        out.append(verdict(features, suite, Level.ADVANCED)).append('\n');
      }
      out.append(
          String.format(
              Locale.ROOT,
              "    %-33s %-9s %s\n",
              feature.name(),
              feature.level() == Level.SERVER ? "server" : "advanced",
              text(feature, each.getValue())));
    }
  }

  /// Whether a host has all of a suite; otherwise the features that it lacks. The other suites
  /// demand that of Core, too.
  private static String verdict(Map<Feature, List<Missing>> features, String suite, Level level) {
    List<String> lacking = new ArrayList<>(lacking(features, suite, level));
    if (!suite.equals(CORE) && !lacking(features, CORE, level).isEmpty()) {
      lacking.addFirst(CORE);
    }
    return lacking.isEmpty() ? "yes" : "no (without " + String.join(", ", lacking) + ")";
  }

  private static List<String> lacking(
      Map<Feature, List<Missing>> features, String suite, Level level) {
    return features.entrySet().stream()
        .filter(each -> each.getKey().suite().equals(suite))
        .filter(each -> level == Level.ADVANCED || each.getKey().level() == Level.SERVER)
        .filter(each -> !each.getValue().isEmpty())
        .map(each -> each.getKey().name())
        .toList();
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
