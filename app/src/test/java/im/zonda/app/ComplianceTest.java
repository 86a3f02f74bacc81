package im.zonda.app;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.compliance.ComplianceOperations;
import im.zonda.app.compliance.ComplianceText;
import im.zonda.config.ExternalService;
import im.zonda.config.Http;
import im.zonda.config.ServerConfig;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// A server where everything is switched on has all of the compliance suites (XEP-0479); another
/// one says what has to be switched on.
class ComplianceTest {
  private static final Pattern MISSING = Pattern.compile("\\bno ((?:XEP-|RFC )\\d+)");

  private static ServerPlan everything() {
    ExternalService stun =
        new ExternalService(
            "stun", "stun.example.org", 3478, "udp", null, null, Duration.ofHours(1), null, null);
    return ServerPlan.of(StandardModules::create)
        .withHosts("example.org", "a.example")
        .with("component.listen", List.of("127.0.0.1:0"))
        .with("c2s.listenTls", List.of("127.0.0.1:0"))
        .with("services.external", Map.of("stun", stun));
  }

  private static String table(ServerPlan plan) throws IOException {
    try (TestServer server = plan.startInMemory()) {
      ComplianceOperations operations =
          new ComplianceOperations(
              () -> server.server().hosts(), StandardModules.optional(), server::config);
      return ComplianceText.of(operations.show(new ComplianceOperations.Chosen(null)));
    }
  }

  @Test
  void nothingIsMissing() throws IOException {
    String table = table(everything());
    Set<String> missing = new TreeSet<>();
    Matcher found = MISSING.matcher(table);
    while (found.find()) {
      missing.add(found.group(1));
    }
    assertThat(missing).isEmpty();
    assertThat(table).doesNotContain(" off ");
    assertThat(table.lines().toList())
        .contains(
            "a.example",
            "  Core: server yes, advanced server yes",
            "  IM: server yes, advanced server yes",
            "  Mobile: server yes, advanced server yes",
            "  A/V Calling: server yes, advanced server yes",
            "  Web: server yes, advanced server yes");
  }

  @Test
  void whatIsSwitchedOffSaysHowToSwitchItOn() throws IOException {
    ServerConfig.Host without =
        new ServerConfig.Host(
            null, null, null, null, null, Set.of("blocking", "carbons"), null, null);
    String table = table(everything().with("host", Map.of("a.example", without)));
    String first = table.substring(0, table.indexOf("\na.example\n"));
    String second = table.substring(first.length());
    assertThat(first).doesNotContain(" off ");
    assertThat(second)
        .contains("off XEP-0191: modules-off contains blocking")
        .contains("off XEP-0280: modules-off contains carbons");
    assertThat(
            table(everything().with("component.listen", List.of()).with("http.bosh", false))
                .lines()
                .toList())
        .contains(
            "  Core: server no (without Server extensibility),"
                + " advanced server no (without Server extensibility)",
            "  Web: server no (without Core, Web connection mechanisms),"
                + " advanced server no (without Core, Web connection mechanisms)",
            "    Web connection mechanisms         server    off XEP-0206: http.bosh is false");
    assertThat(
            table(
                ServerPlan.of(StandardModules::create)
                    .with("c2s.listenTls", List.of())
                    .with("http", Http.OFF)
                    .with("component.listen", List.of())))
        .contains("off RFC 7395: http.listen and http.listen-tls are empty; off XEP-0206: http.")
        .contains("off XEP-0114: component.listen is empty")
        .contains("off XEP-0215: services.external is empty")
        .contains("off XEP-0363: services.uploads needs HTTPS, and storage.files in a cluster")
        .contains("off XEP-0368: c2s.listen-tls is empty");
  }
}
