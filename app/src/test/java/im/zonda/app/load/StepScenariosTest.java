package im.zonda.app.load;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.bench.load.Options;
import im.zonda.bench.load.Scenario;
import im.zonda.bench.result.Result;
import im.zonda.bench.run.CommonOptions;
import im.zonda.bench.run.Progress;
import im.zonda.bench.run.RunSettings;
import im.zonda.bench.run.Runner;
import im.zonda.bench.scenario.Scenarios;
import im.zonda.bench.target.Target;
import im.zonda.bench.target.Targets;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Scenarios that consist of steps of people get along with a whole server: nothing is rejected,
/// and what is to arrive arrives.
@Timeout(120)
class StepScenariosTest {
  private static final int ACCOUNTS = 100;
  private static TestServer server;

  @TempDir private Path folder;

  @BeforeAll
  static void start() throws IOException {
    server = ServerPlan.of(StandardModules::create).startOnSockets();
    server.accounts(IntStream.range(0, ACCOUNTS).mapToObj(i -> "u" + i + "@example.org").toList());
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  /// In the last column are figures that cannot be 0.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "burst | users=4 messages=5 bursts=2 warm-up-bursts=1 pause=50 | delivery-p50 login-p50",
        "rooms | rooms=2 occupants=6 copies=40 late=60000 | delivery-p50 last-receiver-p50",
        "pubsub | subscribers=3 rate=10 | notifications publish-p50 last-receiver-p50",
        "office | users=3 active=3 late=1 contacts=0 login-rate=50 active-rate=20 occupants=2"
            + " warm-up=0.1 seconds=2 | requests users-online login-p50 roster-p50 vcard-p50",
        "cluster | rate=2 think=1 listeners=2 absent=1 rooms=1 contacts=0 sessions=2 race=3 |"
            + " stories race-p50",
        "story | rate=3 think=1 listeners=2 absent=1 rooms=1 contacts=0 seconds=2 | stories roster-p50"
            + " vcard-p50 message-online-p50 message-offline-p50 room-enter-p50 group-chat-p50",
        "sessions | sessions=5 presence=true detached=3 | resume-p50 memory-server",
        "sessions | sessions=5 storm=true | resume-p50",
        "login | accounts=4 rate=20 method=inline management=true mechanism=SCRAM-SHA-256 |"
            + " login-20-rate",
        "login | accounts=4 rate=20 method=token presence=true | by-token",
        "chat | pairs=2 rate=100 managed=true slow-readers=2 slow-rate=20 |"
            + " acknowledgement-p50 fed",
      })
  void nothingIsRefused(String name, String given, String figures) throws Exception {
    Scenario scenario = Scenarios.of(name);
    Map<String, String> values =
        new HashMap<>(Map.of("warm-up", "0", "seconds", "1", "mechanism", "PLAIN"));
    for (String pair : given.split(" ", -1)) {
      values.put(pair.substring(0, pair.indexOf('=')), pair.substring(pair.indexOf('=') + 1));
    }
    Options options = CommonOptions.complete(scenario, values);
    assertThat(scenario.plan(options).accounts()).isLessThanOrEqualTo(ACCOUNTS);
    RunSettings settings = new RunSettings(1, "secret", List.of("zonda"), folder);
    Progress progress = new Progress(new PrintWriter(new StringWriter()), false, Duration.ZERO);
    Result result =
        new Runner(scenario, options, settings, () -> Instant.EPOCH, progress).run(target());

    assertThat(result.verdicts())
        .filteredOn(verdict ->
            verdict
                .rule()
                .matches(
                    "no errors|each sub.*|every (session|login).*|all users.*|no (message|copy).*"))
        .isNotEmpty()
        .allSatisfy(
            verdict -> assertThat(verdict.met()).as(verdict.sentence() + result.notes()).isTrue());
    for (String figure : figures.split(" ", -1)) {
      assertThat(result.figures())
          .as(figure)
          .anyMatch(each -> each.name().equals(figure) && each.value() > 0);
    }
  }

  private static Target target() throws Exception {
    Map<String, String> values = new HashMap<>();
    Targets.OPTIONS.forEach(option -> values.put(option.name(), option.usual()));
    var address = server.address(Login.Security.DIRECT_TLS);
    values.put("address", address.getHostString() + ":" + address.getPort());
    values.put("domain", "example.org");
    values.put("security", "tls");
    values.put("pid", Long.toString(ProcessHandle.current().pid()));
    return Targets.of("zonda", new Options(values)).getFirst();
  }
}
