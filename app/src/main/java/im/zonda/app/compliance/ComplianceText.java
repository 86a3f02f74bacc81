package im.zonda.app.compliance;

import static im.zonda.app.compliance.ComplianceSuites.CORE;

import im.zonda.app.compliance.ComplianceOperations.Demanded;
import im.zonda.app.compliance.ComplianceOperations.Host;
import im.zonda.app.compliance.ComplianceOperations.Shown;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The result of [ComplianceOperations] as text for a terminal.
public final class ComplianceText {
  private static final String SERVER = "server";

  private ComplianceText() {}

  /// The lines.
  public static String of(Shown shown) {
    StringBuilder out = new StringBuilder(shown.version()).append('\n');
    shown.hosts().forEach(host -> print(host, out));
    return out.toString();
  }

  private static void print(Host host, StringBuilder out) {
    out.append('\n').append(host.host()).append('\n');
    String suite = "";
    for (Demanded each : host.features()) {
      if (!each.suite().equals(suite)) {
        suite = each.suite();
        out.append("  ").append(suite).append(": server ");
        out.append(verdict(host, suite, false)).append(", advanced server ");
        out.append(verdict(host, suite, true)).append('\n');
      }
      out.append(
          String.format(
              Locale.ROOT, "    %-33s %-9s %s\n", each.feature(), each.level(), each.text()));
    }
  }

  /// Whether a host has all of a suite; otherwise the features that it lacks. The other suites
  /// demand that of Core, too.
  private static String verdict(Host host, String suite, boolean advanced) {
    List<String> lacking = new ArrayList<>(lacking(host, suite, advanced));
    if (!suite.equals(CORE) && !lacking(host, CORE, advanced).isEmpty()) {
      lacking.addFirst(CORE);
    }
    return lacking.isEmpty() ? "yes" : "no (without " + String.join(", ", lacking) + ")";
  }

  private static List<String> lacking(Host host, String suite, boolean advanced) {
    return host.features().stream()
        .filter(each -> each.suite().equals(suite))
        .filter(each -> advanced || each.level().equals(SERVER))
        .filter(each -> !each.provided())
        .map(Demanded::feature)
        .toList();
  }
}
