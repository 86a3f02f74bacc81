package im.zonda.app.settings;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.accounts.HttpAccounts;
import im.zonda.net.tls.SelfSigned;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The sections `[accounts.program.NAME]` and `[accounts.http.NAME]`.
class ProgramAndHttpSettingsTest {
  private static final String PROGRAM = "[accounts.program.old]\n";
  private static final String HTTP = "[accounts.http.shop]\n";

  @TempDir private Path folder;

  private void refused(String text, String problem) {
    assertThat(new WrittenFile(folder).problems(text))
        .as(text)
        .singleElement()
        .asString()
        .contains(problem);
  }

  private void taken(String text) throws Exception {
    assertThat(new WrittenFile(folder).read(text)).as(text).isNotNull();
  }

  @Test
  void aProgramCanBeExecuted() throws Exception {
    Path file = Files.writeString(folder.resolve("auth.sh"), "#!/bin/sh\n");
    refused(PROGRAM, "accounts.program.old.command must be set");
    refused(PROGRAM + "command = [\"\"]", "accounts.program.old.command must be set");
    refused(PROGRAM + "command = [\"" + file + "\"]", "is not a file that can be executed");
    refused(PROGRAM + "command = [\"" + folder + "\"]", "is not a file that can be executed");
    refused(PROGRAM + "command = [\"zonda-no-such\"]", "is not a file that can be executed");
    refused(PROGRAM + "command = [\"/bin/sh\", \"\\u0000\"]", "has a character with the code 0");
    taken(PROGRAM + "command = [\"sh\", \"-c\", \"\"]");
    assertThat(file.toFile().setExecutable(true)).isTrue();
    taken(PROGRAM + "command = [\"" + file + "\"]");
  }

  @Test
  void variablesHaveNames() throws Exception {
    String program = PROGRAM + "command = [\"sh\"]\nenvironment = ";
    for (String variable : List.of("s3cret", "=s3cret", "", "NAME=\\u0000")) {
      refused(
          program + "[\"LANG=C\", \"" + variable + "\"]",
          "accounts.program.old.environment: entry 2 is not of the form NAME=value");
    }
    taken(program + "[\"LANG=\", \"A=b=c\"]");
  }

  @Test
  void aServiceHasAnAddress() throws Exception {
    Map<String, String> wrong =
        Map.of(
            "ftp://example.org/", "is not an address such as",
            "https:///accounts", "is not an address such as",
            "mailto:a@example.org", "is not an address such as",
            "https://chat:s3cret@example.org/", "has a name and a password in it",
            "https://example.org/?a=b", "may have neither ? nor #",
            "https://example.org/#a", "may have neither ? nor #",
            "http://192.0.2.1/", "on this machine only",
            "http://[2001:db8::1]/", "on this machine only");
    wrong.forEach((url, problem) -> refused(HTTP + "url = \"" + url + "\"", problem));
    refused(HTTP, "accounts.http.shop.url must be set");
    for (String url :
        List.of(
            "https://example.org",
            "https://example.org:8443/accounts/",
            "http://127.0.0.1:8080",
            "http://[::1]:8080/a",
            "http://localhost/a")) {
      taken(HTTP + "url = \"" + url + "\"");
    }
  }

  @Test
  void secretsAndAuthoritiesCanBeUsed() throws Exception {
    String https = HTTP + "url = \"https://example.org\"\n";
    refused(https + "secret = \"\"", "accounts.http.shop.secret is empty");
    taken(https + "style = \"mongooseim\"\nsecret = \"x:y\"");
    Files.writeString(folder.resolve("empty.pem"), "");
    Files.writeString(folder.resolve("key.pem"), "-----BEGIN CERTIFICATE-----\nAAAA\n");
    for (String file : List.of("none.pem", "empty.pem", "key.pem")) {
      refused(https + "authorities = \"" + file + "\"", "no certificates that can be read");
    }
    Path certificate =
        SelfSigned.ensure(
                Files.createDirectory(folder.resolve("own")),
                List.of("a.example"),
                InstantSource.fixed(Instant.parse("2026-11-28T12:00:00Z")),
                new SecureRandom())
            .certificate();
    taken(https + "authorities = \"" + certificate + "\"");
    assertThat(
            new HttpAccounts("https://a", "s3cret", null, HttpAccounts.Style.ZONDA, true)
                .toString())
        .doesNotContain("s3cret");
  }

  @Test
  void sectionsOfAHostAreChecked() {
    refused(
        "hosts = [\"a.example\"]\n[host.\"a.example\".accounts.http.shop]\n",
        "host.a.example.accounts.http.shop.url must be set");
  }
}
