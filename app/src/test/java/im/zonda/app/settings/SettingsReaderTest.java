package im.zonda.app.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import im.zonda.app.settings.toml.Problem;
import im.zonda.app.settings.toml.SettingsException;
import im.zonda.config.ServerConfig;
import im.zonda.config.ServerConfig.Plaintext;
import im.zonda.config.limits.Limits;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsReaderTest {
  @TempDir private Path folder;

  private final SettingsReader reader = new SettingsReader(Map.of(), Set.of("ping", "vcard"));

  @Test
  void withoutAFileEverythingIsAsByDefault() throws Exception {
    Settings settings = reader.read(null, null, folder);
    assertThat(settings.config())
        .isEqualTo(ServerConfig.defaults(List.of("localhost"), folder.resolve("data")));
    assertThat(settings.places()).isEmpty();
  }

  @Test
  void theFileOfTheBenchmark() throws Exception {
    ServerConfig config =
        read("""
        hosts = ["bench.test"]
        data = "data"
        [c2s]
        listen = ["127.0.0.1:15222"]
        listen-tls = []
        plaintext = "loopback"
        [registration]
        enabled = true
        rate-limit = "off"
        """)
            .config();
    assertThat(config.hosts()).containsExactly("bench.test");
    assertThat(config.data()).isEqualTo(folder.resolve("data"));
    assertThat(config.c2s())
        .isEqualTo(
            new ServerConfig.C2s(List.of("127.0.0.1:15222"), List.of(), Plaintext.LOOPBACK, 0));
    assertThat(config.registration()).isEqualTo(new ServerConfig.Registration(true, 0));
    assertThat(config.limits()).isEqualTo(Limits.defaults());
  }

  @Test
  void pathsAreRelativeToTheFileUnlessTheDataFolderIsNamed() throws Exception {
    Path inner = Files.createDirectory(folder.resolve("inner"));
    Path file = Files.writeString(inner.resolve("z.toml"), "data = \"d\"\n");
    assertThat(reader.read(file, null, folder).config().data()).isEqualTo(inner.resolve("d"));
    assertThat(reader.read(file, Path.of("e"), folder).config().data())
        .isEqualTo(folder.resolve("e"));
    assertThat(reader.read(Path.of("inner/z.toml"), null, folder).config().data())
        .isEqualTo(inner.resolve("d"));
  }

  @Test
  void everyMistakeIsReportedAtOnceWithItsPlace() throws Exception {
    assertThat(
            problems(
                """
                hosts = ["a.example", 7]
                [c2s]
                lisen = ["127.0.0.1:5222"]
                event-loops = -1
                plaintext = "always"
                listen = ["nowhere", "127.0.0.1:99999"]
                [limits]
                negotiation-time = 30
                outbound-bytes = "4 MB"
                listen-tls = []
                [registration]
                enabled = "yes"
                rate-limit = "0/h"
                """))
        .containsExactly(
            "1:23: hosts must be a list of domains such as [\"example.org\"], not 7",
            "3:1: unknown key c2s.lisen; did you mean \"listen\"?",
            "4:1: c2s.event-loops must be a whole number, from 0 to 1024, not -1",
            "5:1: c2s.plaintext must be one of \"never\", \"loopback\", not \"always\"",
            "6:11: c2s.listen must be a list of addresses such as"
                + " [\"127.0.0.1:5222\", \"[::1]:5222\"], not \"nowhere\"",
            "6:22: c2s.listen must be a list of addresses such as"
                + " [\"127.0.0.1:5222\", \"[::1]:5222\"], not \"127.0.0.1:99999\"",
            "8:1: limits.negotiation-time must be a duration such as \"30s\", from 1s to 10m,"
                + " not 30",
            "9:1: limits.outbound-bytes must be a number of bytes such as 4096 or \"256KiB\","
                + " at least 65536, not \"4 MB\"",
            "10:1: unknown key limits.listen-tls; it belongs in [c2s]",
            "12:1: registration.enabled must be true or false, not \"yes\"",
            "13:1: registration.rate-limit must be a rate such as \"5/h\", or \"off\", not \"0/h\"");
  }

  @Test
  void aDataPolicyHasTheValuesOfItsText() throws Exception {
    assertThat(
            problems(
                """
                hosts = ["a.example"]
                [services.data-policy]
                data-retention = "a month"
                backup-frequency = "infinite"
                backup-retention = "unknown"
                access-policy = ["none", "police"]
                """))
        .containsExactly(
            "3:1: services.data-policy.data-retention must be a number of hours such as \"720\","
                + " or \"infinite\" or \"unknown\"",
            "4:1: services.data-policy.backup-frequency must be a number of hours such as"
                + " \"720\"",
            "6:1: services.data-policy.access-policy cannot contain \"police\"",
            "6:1: services.data-policy.access-policy: \"none\" must be alone");
  }

  @Test
  void aQuestionHasAnswers() throws Exception {
    assertThat(
            problems(
                """
                hosts = ["a.example", "b.example"]
                [registration]
                question = "Colour?"
                [host."b.example".registration]
                question = "Size?"
                answers = ["big", " "]
                """))
        .containsExactly(
            "3:1: registration.question has no registration.answers",
            "6:1: host.b.example.registration.answers has an empty answer");
  }

  @Test
  void brokenTomlIsReportedWithItsPlace() throws Exception {
    assertThat(problems("hosts = [\"a.example\"\ndata = \n"))
        .isNotEmpty()
        .allMatch(problem -> problem.matches("\\d+:\\d+: .+"));
  }

  @Test
  void aFileThatIsNotThereIsAMistake() {
    SettingsException failure =
        catchThrowableOfType(
            SettingsException.class, () -> reader.read(Path.of("none.toml"), null, folder));
    assertThat(failure).hasMessage("none.toml:1:1: does not exist");
  }

  @Test
  void whatDoesNotGoTogetherIsAMistake() throws Exception {
    assertThat(
            problems(
                """
                hosts = ["a.example"]
                modules-off = ["pin", "roster"]
                [tls]
                certificate = "chain.pem"
                [host."b.example"]
                contact = ["mailto:x@b.example"]
                """))
        .containsExactly(
            "2:1: no module \"pin\" can be switched off; did you mean \"ping\"?",
            "2:1: no module \"roster\" can be switched off",
            "3:1: tls.certificate and tls.key must be set together; key is missing",
            "4:1: tls.certificate: " + folder.resolve("chain.pem") + " cannot be read",
            "5:1: hosts does not name b.example; did you mean \"a.example\"?");
    assertThat(problems("hosts = []\n[c2s]\nlisten = []\nlisten-tls = []\n"))
        .containsExactly(
            "1:1: hosts must name at least one domain",
            "4:1: c2s.listen and c2s.listen-tls are both empty");
  }

  @Test
  void whatAClientHasNotAcknowledgedMustFitIntoItsQueue() throws Exception {
    assertThat(problems("[limits]\nunacknowledged-bytes = \"5MiB\"\n"))
        .containsExactly(
            "2:1: limits.unacknowledged-bytes (5242880) must be at most limits.outbound-bytes"
                + " (4194304); otherwise sessions with more cannot be resumed");
    assertThat(problems("hosts = [\"a.example\"]\n[limits]\noutbound-bytes = \"1MiB\"\n"))
        .containsExactly(
            "3:1: limits.unacknowledged-bytes (3145728) must be at most limits.outbound-bytes"
                + " (1048576); otherwise sessions with more cannot be resumed");
    assertThat(
            read("""
            [limits]
            unacknowledged-bytes = 70000
            outbound-bytes = 70000
            [limits.client]
            max-bytes = 35000
            """)
                .config()
                .limits()
                .outboundBytes())
        .isEqualTo(70_000);
  }

  /// What is larger could be received, but not be read again from where it is kept.
  @ParameterizedTest
  @CsvSource({
    "max-depth, 129, 'a whole number, from 1 to 128'",
    "max-attributes, 257, 'a whole number, from 1 to 256'",
    "max-namespace-declarations, 129, 'a whole number, from 1 to 128'",
    "max-elements, 65537, 'a whole number, from 1 to 65536'",
    "max-name-bytes, 4097, 'a whole number, from 1 to 4096'",
    "max-bytes, 8388609, 'a number of bytes such as 4096 or \"256KiB\", from 1 to 8388608'",
  })
  void theLimitsOfXmlHaveAMaximum(String key, int value, String range) throws Exception {
    for (String section : List.of("client", "before-authentication")) {
      String path = "limits." + section + "." + key;
      String text = "[limits]\noutbound-bytes = \"16MiB\"\nunacknowledged-bytes = \"8MiB\"\n";
      assertThat(problems(text + "[limits." + section + "]\n" + key + " = " + value + "\n"))
          .containsExactly("5:1: " + path + " must be " + range + ", not " + value);
      read(text + "[limits." + section + "]\n" + key + " = " + (value - 1) + "\n");
    }
  }

  @Test
  void shortQueuesAreForShortStanzas() throws Exception {
    String limits =
        """
        [limits]
        outbound-bytes = "256KiB"
        unacknowledged-bytes = "256KiB"
        client.max-bytes = "128KiB"
        """;
    assertThat(read(limits).config().limits().client().maxBytes()).isEqualTo(131_072);
  }

  @Test
  void oneStanzaFitsIntoEveryQueue() throws Exception {
    assertThat(problems("[limits.client]\nmax-bytes = \"8MiB\"\n"))
        .containsExactly(
            "2:1: limits.client.max-bytes (8388608) must be at most half of limits.outbound-bytes"
                + " (4194304)",
            "2:1: limits.unacknowledged-bytes (3145728) must be at least limits.client.max-bytes"
                + " (8388608)");
    assertThat(
            problems(
                """
                [limits]
                inbound-bytes = "1MiB"
                [limits.client]
                max-bytes = 1048577
                [s2s.limits]
                queue-bytes = 70000
                """))
        .containsExactly(
            "2:1: limits.inbound-bytes (1048576) must be at least limits.client.max-bytes"
                + " (1048577)",
            "6:1: s2s.limits.queue-bytes (70000) must be at least limits.client.max-bytes"
                + " (1048577)");
  }

  @Test
  void aHostHasItsOwnSettingsAndTheRestOfTheServers() throws Exception {
    ServerConfig config =
        read("""
        hosts = ["a.example", "b.example"]
        contact = ["mailto:all@example.org"]
        [registration]
        rate-limit = "7/h"
        [host."b.example"]
        contact = ["mailto:b@b.example"]
        modules-off = ["vcard"]
        registration.enabled = true
        """)
            .config();
    assertThat(config.at("a.example")).isEqualTo(config);
    ServerConfig b = config.at("b.example");
    assertThat(b.contact()).containsExactly("mailto:b@b.example");
    assertThat(b.modulesOff()).containsExactly("vcard");
    assertThat(b.registration()).isEqualTo(new ServerConfig.Registration(true, 7));
    assertThat(b.tls()).isEqualTo(config.tls());
  }

  @Test
  void aFileInHostsDAddsAHost() throws Exception {
    Files.createDirectory(folder.resolve("hosts.d"));
    Files.writeString(folder.resolve("hosts.d/b.example.toml"), "");
    Files.writeString(
        folder.resolve("hosts.d/a.example.toml"),
        """
        contact = ["mailto:a@a.example"]
        [limits]
        roster-items = 7
        [registration]
        enabled = true
        """);
    Settings alone = reader.read(null, null, folder);
    assertThat(alone.config().hosts()).containsExactly("localhost", "a.example", "b.example");
    ServerConfig config = read("hosts = [\"c.example\"]\nlimits.roster-groups = 3\n").config();
    assertThat(config.hosts()).containsExactly("c.example", "a.example", "b.example");
    ServerConfig own = config.at("a.example");
    assertThat(own.contact()).containsExactly("mailto:a@a.example");
    assertThat(own.registration().enabled()).isTrue();
    assertThat(own.limits().rosterItems()).isEqualTo(7);
    assertThat(own.limits().rosterGroups()).as("as for the server").isEqualTo(3);
    assertThat(config.at("b.example").limits()).isEqualTo(config.limits());
    assertThat(config.at("c.example").registration().enabled()).isFalse();
  }

  @Test
  void whatIsMeantIsNamed() throws Exception {
    assertThat(problems("host = [\"a.example\"]\nlog = 1\n"))
        .containsExactly(
            "1:1: host must be a section; did you mean \"hosts\"?", "2:1: log must be a section");
    assertThat(problems("[storage]\nurl = \"mysql://localhost/zonda\"\n"))
        .first()
        .asString()
        .startsWith(
            "2:1: storage.url must be \"sqlite:zonda.db\", \"postgresql://localhost/zonda\" or"
                + " \"mariadb://localhost/zonda\", without user and password");
  }

  @Test
  void aFileThatIsNotUtf8IsReportedWithThePlace() throws Exception {
    Path file = folder.resolve("latin1.toml");
    Files.write(file, "# f\u00FCr\nhosts = []".getBytes(StandardCharsets.ISO_8859_1));
    assertThat(catchThrowableOfType(SettingsException.class, () -> reader.read(file, null, folder)))
        .hasMessage(file + ":1:4: is not UTF-8");
    Files.write(folder.resolve("secret"), new byte[] {'a', '\n', 'b', (byte) 0xE9});
    assertThat(problems("[storage]\npassword = \"${file:secret}\"\n").getFirst())
        .endsWith("secret: not UTF-8 in line 2, column 2");
  }

  @Test
  void mistakesInHostsDHaveTheirPlace() throws Exception {
    Files.createDirectory(folder.resolve("hosts.d"));
    Files.writeString(folder.resolve("hosts.d/a.example.toml"), "\nlimits.roster-items = 0\n");
    Files.writeString(folder.resolve("hosts.d/b.example.toml"), "hosts = [\n");
    Files.writeString(folder.resolve("hosts.d/Upper.example.toml"), "");
    Files.writeString(folder.resolve("hosts.d/c.example.toml"), "");
    Files.writeString(folder.resolve("hosts.d/c.example.toml.bak"), "not read");
    assertThat(
            problems(
                """
                hosts = ["c.example", "rooms.c.example"]
                [rooms]
                admins = ["no account"]
                prefix = "@"
                [host."c.example"]
                contact = []
                """))
        .containsExactly(
            "3:1: rooms.admins: no account is not an account such as juliet@example.org",
            "4:1: rooms.prefix is not a part of a domain",
            "5:1: host.c.example is also in hosts.d/c.example.toml; keep one of them",
            "hosts.d/Upper.example.toml:1:1: the name of a file in hosts.d must be a domain in lower"
                + " case and .toml",
            "hosts.d/a.example.toml:2:1: host.a.example.limits.roster-items must be a whole number,"
                + " at least 1, not 0",
            "hosts.d/b.example.toml:2:1: Unexpected end of input, expected ] or a value; the array"
                + " opened at line 1, column 9 is unclosed",
            "hosts.d/c.example.toml:1:1: hosts contains c.example twice");
  }

  @Test
  void aDomainIsServedOnce() throws Exception {
    assertThat(problems("hosts = [\"c.example\", \"rooms.c.example\"]\n"))
        .containsExactly(
            "1:1: rooms.c.example is the room service of c.example and cannot be served twice;"
                + " rooms.prefix changes its name");
  }

  @Test
  void theEnvironmentWinsOverTheFile() throws Exception {
    Map<String, String> variables =
        Map.of(
            "ZONDA_C2S__LISTEN", "127.0.0.1:1, [::1]:2",
            "ZONDA_LIMITS__IDLE_TIME", "10m",
            "ZONDA_LIMITS__CLIENT__MAX_DEPTH", "9",
            "ZONDA_REGISTRATION__ENABLED", "true",
            "ZONDA_JAVA_OPTS", "-Xmx1g",
            "ZONDA_PORT_5222_TCP", "tcp://10.0.0.1:5222");
    Path file =
        Files.writeString(folder.resolve("zonda.toml"), "[c2s]\nlisten = [\"0.0.0.0:9\"]\n");
    Settings settings = new SettingsReader(variables, Set.of()).read(file, null, folder);
    assertThat(settings.config().c2s().listen()).containsExactly("127.0.0.1:1", "[::1]:2");
    assertThat(settings.config().limits().idleTime()).isEqualTo(Duration.ofMinutes(10));
    assertThat(settings.config().limits().client().maxDepth()).isEqualTo(9);
    assertThat(settings.config().registration().enabled()).isTrue();
    assertThat(settings.places().get("c2s.listen")).hasToString("ZONDA_C2S__LISTEN");
  }

  @Test
  void aWrongVariableIsAMistakeAndItsValueIsNotShown() {
    Map<String, String> variables =
        Map.of("ZONDA_C2S__LISTEN_TSL", "x", "ZONDA_LIMITS__IDLE_TIME", "secret");
    SettingsException failure =
        catchThrowableOfType(
            SettingsException.class,
            () -> new SettingsReader(variables, Set.of()).read(null, null, folder));
    assertThat(failure.problems())
        .extracting(Problem::toString)
        .containsExactly(
            "ZONDA_C2S__LISTEN_TSL: unknown setting; did you mean ZONDA_C2S__LISTEN_TLS?",
            "ZONDA_LIMITS__IDLE_TIME: limits.idle-time must be a duration such as \"30s\","
                + " from 1s to 1d");
  }

  @Test
  void aSecretMayStandInAFile() throws Exception {
    Files.writeString(folder.resolve("secret"), "mailto:a@example.org\n");
    assertThat(read("contact = [\"${file:secret}\"]\n").config().contact())
        .containsExactly("mailto:a@example.org");
    assertThat(problems("contact = [\"${file:missing}\"]\n"))
        .singleElement()
        .asString()
        .startsWith("1:12: cannot read missing");
  }

  private Settings read(String text) throws IOException, SettingsException {
    Path file = Files.writeString(folder.resolve("zonda.toml"), text);
    return reader.read(file, null, folder);
  }

  private List<String> problems(String text) throws IOException {
    SettingsException failure = catchThrowableOfType(SettingsException.class, () -> read(text));
    String prefix = folder.resolve("zonda.toml") + ":";
    return failure.problems().stream()
        .map(Problem::toString)
        .map(problem -> problem.startsWith(prefix) ? problem.substring(prefix.length()) : problem)
        .toList();
  }
}
