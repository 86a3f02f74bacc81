package im.zonda.app.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What `./zonda test` says in the end.
@Timeout(60)
class TestReportTest {
  private static final Instant BEGUN = Instant.parse("2026-11-21T12:00:00Z");

  @TempDir private Path folder;

  @BeforeEach
  void begin() throws IOException {
    write("begun", "", BEGUN);
  }

  private void write(String name, String text, Instant time) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    Files.setLastModifiedTime(file, FileTime.from(time));
  }

  private void result(String module, String test, String seconds, String cases, Instant time)
      throws IOException {
    write(
        module + "/target/surefire-reports/TEST-" + test + ".xml",
        "<testsuite version=\"3\" name=\"im.zonda.%s\" time=\"%s\" tests=\"2\">\n%s\n</testsuite>\n"
            .formatted(test, seconds, cases),
        time);
  }

  private String report() throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder("sh", "../.ci/report", folder.resolve("begun").toString(), "" + folder)
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said;
  }

  @Test
  void itSaysWhatWasSkippedAndWhy() throws Exception {
    String assumption =
        "<skipped type=\"a\"><![CDATA[org.opentest4j.TestAbortedException: Assumption failed: no"
            + " Prosody\n at a line]]></skipped>\n";
    result("app", "RealPeersIT", "0.1", assumption + assumption, BEGUN.plusSeconds(1));
    result("app", "SoakTest", "2", "<skipped message=\"no minutes\"/>", BEGUN.plusSeconds(2));
    assertThat(report())
        .contains("skipped: 3: ")
        .contains("2 in RealPeersIT (no Prosody)")
        .contains("1 in SoakTest (no minutes)");
  }

  @Test
  void itNamesTheSlowestTenClasses() throws Exception {
    for (int i = 1; i <= 12; i++) {
      result("server", "Class" + i + "Test", i + ".2", "", BEGUN.plusSeconds(i));
    }
    result("server", "OfAnEarlierRunTest", "99", "", BEGUN.minusSeconds(1));
    assertThat(report())
        .startsWith("skipped: 0\n")
        .contains("slowest classes: Class12Test 12 s, Class11Test 11 s,")
        .endsWith(" Class4Test 4 s, Class3Test 3 s\n")
        .doesNotContain("OfAnEarlierRun");
  }

  @Test
  void failedTestsComeLastWithTheirReasonAndOurOwnLines() throws Exception {
    String cases =
        """
            <testcase name="passes" classname="im.zonda.ChatTest" time="0.1"/>
            <testcase name="fails[3]" classname="im.zonda.ChatTest" time="0.1">
              <failure message="it differs" type="AssertionError"><![CDATA[AssertionError: it differs
        \tat org.assertj.core.Assert.fail(Assert.java:1)
        \tat im.zonda.ChatTest.fails(ChatTest.java:12)
        ]]></failure>
              <system-out><![CDATA[noise of the test
        ]]></system-out>
            </testcase>\
        """;
    result("server", "ChatTest", "1", cases, BEGUN.plusSeconds(1));
    assertThat(report().substring(report().indexOf("\nfailed: ")))
        .startsWith("\nfailed: ChatTest.fails[3]\n")
        .contains("AssertionError: it differs", "at im.zonda.ChatTest.fails(ChatTest.java:12)")
        .doesNotContain("org.assertj", "noise", "passes");
  }

  /// The order of lines within a report is that of Maven: `system-out` follows the failure.
  @Test
  void elementsThatATestPrintsAreNoResults() throws Exception {
    String cases =
        """
            <testcase name="prints" classname="im.zonda.ChatTest" time="0.1">
              <system-out><![CDATA[<iq type='error'>
        <error type='wait'/> and <skipped/>
        ]]></system-out>
            </testcase>
            <testcase name="fails" classname="im.zonda.ChatTest" time="0.1">
              <error message="it differs" type="AssertionError"><![CDATA[AssertionError: it differs
        ]]></error>
              <system-err><![CDATA[<failure message="noise"/>
        ]]></system-err>
            </testcase>\
        """;
    result("server", "ChatTest", "1", cases, BEGUN.plusSeconds(1));
    assertThat(report())
        .startsWith("skipped: 0\n")
        .contains("\nfailed: ChatTest.fails\n")
        .doesNotContain("ChatTest.prints", "noise");
  }
}
