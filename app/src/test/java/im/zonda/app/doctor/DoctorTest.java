package im.zonda.app.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.finding.Finding;
import im.zonda.app.finding.Finding.Level;
import im.zonda.app.finding.Findings;
import im.zonda.config.ServerConfig;
import im.zonda.config.copy.RecordCopy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The whole examination, with DNS and web of the test and the disk of this machine.
class DoctorTest {
  private static final Instant NOW = Instant.parse("2026-11-28T12:00:00Z");

  @TempDir private Path folder;
  private boolean webAsked;

  private Doctor.Parts parts(String host, Doctor.Backups backups) {
    return new Doctor.Parts(
        ServerConfig.defaults(List.of(host), folder.resolve("data")),
        null,
        folder,
        DnsChecksTest.good(),
        asked -> {
          webAsked = true;
          return new HostMetaFacts(asked, null, "no such page");
        },
        backups,
        InstantSource.fixed(NOW),
        Runnable::run);
  }

  private static List<String> subjects(Findings findings) {
    return findings.all().stream().map(Finding::subject).distinct().toList();
  }

  @Test
  void everythingIsExaminedWithoutAServer() {
    Findings findings = Doctor.examine(parts("example.org", () -> NOW));
    assertThat(subjects(findings))
        .containsExactly(
            "server",
            "open files",
            "backlog",
            "swap",
            "huge pages",
            "clock",
            "memory",
            "java",
            "heap",
            "collector",
            "java options",
            "disk space",
            "disk files",
            "filesystem",
            "disk speed",
            "file modes",
            "database",
            "commits",
            "backup",
            "port",
            "certificate",
            "DNS",
            "web");
    assertThat(findings.all().getFirst().text()).startsWith("not running");
    assertThat(findings.lines()).contains("not known: net.core.somaxconn cannot be read");
    assertThat(webAsked).isTrue();
    assertThat(folder.resolve("data")).doesNotExist();
  }

  @Test
  void servicesForOtherServersAreLookedUp() {
    Doctor.Parts parts = parts("example.org", () -> NOW);
    Doctor.Parts federated =
        new Doctor.Parts(
            RecordCopy.with(
                RecordCopy.with(parts.config(), "s2s.enabled", true),
                "http.url",
                "https://example.org"),
            null,
            parts.root(),
            parts.dns(),
            parts.web(),
            parts.backups(),
            parts.clock(),
            parts.executor());
    assertThat(federated.config().serviceDomains("example.org")).contains("upload.example.org");
    assertThat(Doctor.examine(federated).lines())
        .contains("other servers do not find rooms.example.org")
        .contains("other servers do not find pubsub.example.org")
        .doesNotContain("other servers do not find upload.example.org");
  }

  @Test
  void localHostsAreNotLookedUp() {
    Findings findings = Doctor.examine(parts("localhost", () -> NOW));
    assertThat(findings.all().stream().filter(each -> each.subject().equals("DNS")))
        .containsExactly(
            Finding.ok(
                "DNS", "localhost is a name for this machine or network: DNS is not needed"));
    assertThat(webAsked).isFalse();
  }

  @Test
  void whatCannotBeReadIsNotKnown() {
    Findings failing =
        Doctor.examine(
            parts(
                "localhost",
                () -> {
                  throw new IOException("the folder of backups is away");
                }));
    assertThat(failing.all()).contains(Finding.unknown("backup", "the folder of backups is away"));
    Findings broken =
        Doctor.examine(
            parts(
                "localhost",
                () -> {
                  throw new IllegalStateException("a defect");
                }));
    assertThat(broken.all()).contains(Finding.unknown("backup", "a defect"));
  }

  @Test
  void aDatabaseThatCannotBeReadIsAProblem() throws IOException {
    Path data = Files.createDirectories(folder.resolve("data"));
    Files.writeString(data.resolve("zonda.db"), "this is no database of SQLite, but text");
    Findings findings = Doctor.examine(parts("localhost", () -> NOW));
    assertThat(findings.all())
        .anyMatch(each -> each.subject().equals("database") && each.level() == Level.PROBLEM);
    assertThat(findings.hasProblems()).isTrue();
  }
}
