package im.zonda.plugins.webhooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.jid.Jid;
import im.zonda.operation.Secret;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TargetReaderTest {
  private static final Secret SECRET = new Secret("open-sesame-0123456789");
  private static final String URL = "url = \"https://hooks.example.org/a\"\n";

  @TempDir Path folder;

  private Target read(String text) throws Exception {
    Files.writeString(folder.resolve("orders.toml"), text);
    return new TargetReader(folder, SECRET).read("orders", folder.resolve("orders.toml"));
  }

  @Test
  void theRestHasDefaults() throws Exception {
    Target target = read(URL + "kinds = \"messages\"");
    assertThat(target.url()).isEqualTo(URI.create("https://hooks.example.org/a"));
    assertThat(target.secret()).isEqualTo(SECRET);
    assertThat(target.filter())
        .isEqualTo(
            new Target.Filter(
                EnumSet.of(EventKind.MESSAGE_SENT, EventKind.MESSAGE_DELIVERED),
                Set.of(),
                Set.of(),
                false,
                Contents.NONE));
    assertThat(target.pace())
        .isEqualTo(
            new Target.Pace(
                100,
                Duration.ofSeconds(1),
                Duration.ofSeconds(10),
                Duration.ofSeconds(1),
                Duration.ofMinutes(5)));
    assertThat(target.queueBytes()).isEqualTo(64L << 20);
  }

  @Test
  void everyKeyCounts() throws Exception {
    Files.writeString(folder.resolve("key"), "another-key-0123456789\n");
    Target target =
        read(
            """
            # Orders
            url = "HTTP://localhost:8080/a?b=c"   # on this machine
            kinds = ["sessions", "room-message",]
            hosts = ["Example.ORG"]
            rooms = ["coven@rooms.example.org"]
            contents = "text"
            without-body = true
            secret-file = "key"
            batch-events = 7
            batch-delay = "250ms"
            time-limit = "3 s"
            retry-delay = "2s"
            most-retry-delay = "1m"
            queue = "2MiB"
            rejected = "1GiB"
            """);
    assertThat(target.url()).isEqualTo(URI.create("http://localhost:8080/a?b=c"));
    assertThat(target.secret().text()).isEqualTo("another-key-0123456789");
    assertThat(target.filter())
        .isEqualTo(
            new Target.Filter(
                EnumSet.of(
                    EventKind.SESSION_STARTED, EventKind.SESSION_ENDED, EventKind.ROOM_MESSAGE),
                Set.of("example.org"),
                Set.of(Jid.of("coven@rooms.example.org")),
                true,
                Contents.TEXT));
    assertThat(target.pace())
        .isEqualTo(
            new Target.Pace(
                7,
                Duration.ofMillis(250),
                Duration.ofSeconds(3),
                Duration.ofSeconds(2),
                Duration.ofMinutes(1)));
    assertThat(target.queueBytes()).isEqualTo(2L << 20);
    assertThat(target.rejectedBytes()).isEqualTo(1L << 30);
    assertThat(target.toString()).doesNotContain("another-key");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      value = {
        "url = \"ftp://a/\" | url must be of the form",
        "url = \"https:///a\" | url must be of the form",
        "url = \"https://u:p@a.example/\" | must not have a user",
        "url = \"https://a.example/#b\" | must not have a user",
        "url = \"https://a b/\" | not the address of a page",
        "url = \"http://192.0.2.1/\" | for services on this machine only",
        "url = \"http://name.invalid/\" | has no address",
        "url = 7 | must be a text",
        "URL = \"a\" | Line 1 is not of the form",
        "uri = \"a\" | there is no key uri; there is authorities,",
        "kinds = \"all\" \"b\" | The value of kinds must be",
        "kinds = [\"all\" | The value of kinds must be",
        "kinds = [all] | The value of kinds must be",
        "kinds = \"all | The value of kinds must be",
        "kinds = \"a\\n\" | The value of kinds must be",
        "kinds = | The value of kinds must be",
        "kinds = true | must be a list such as",
        "kinds = \"login\" | there is no kind login; there is all,",
        "kinds = [] | kinds is missing",
        "hosts = \"a@b\" | is not a domain",
        "hosts = \"@\" | is not an address",
        "rooms = \"rooms.example.org\" | is not the address of a room",
        "contents = \"body\" | must be none, text or stanza",
        "without-body = \"yes\" | must be true or false",
        "secret-file = \"gone\" | secret-file: there is no file",
        "secret-file = \"short\" | fewer than 16 characters",
        "authorities = \"short\" | certificates cannot be read",
        "batch-events = 0 | from 1 to 10000",
        "batch-events = 99999999999 | The value of batch-events must be",
        "batch-delay = \"2m\" | from 0s to 1m",
        "time-limit = \"soon\" | must be a duration such as",
        "queue = \"1KiB\" | from 1MiB to 16GiB",
        "queue = 5 | must be a text",
      })
  void wrongValuesAreNamed(String line, String expected) throws Exception {
    Files.writeString(folder.resolve("short"), "short");
    String content =
        line
            + "\n"
            + (line.startsWith("url") ? "" : URL)
            + (line.startsWith("kinds") ? "" : "kinds = \"all\"\n");
    assertThatThrownBy(() -> read(content))
        .isInstanceOf(TargetFormatException.class)
        .hasMessageContaining(expected);
  }

  @Test
  void aKeyTwiceAndAMissingSecretAreNamed() throws Exception {
    assertThatThrownBy(() -> read("kinds = \"all\"")).hasMessage("url is missing.");
    assertThatThrownBy(() -> read(URL + URL)).hasMessage("Line 2: url is there twice.");
    Path file = Files.writeString(folder.resolve("a.toml"), URL + "kinds = \"all\"");
    assertThatThrownBy(() -> new TargetReader(folder, new Secret("")).read("a", file))
        .hasMessageContaining("There is no key for signatures");
    assertThatThrownBy(() -> read("#".repeat(TargetReader.MOST_BYTES + 1)))
        .hasMessageContaining("has more than 65536 bytes");
    Files.write(file, new byte[] {'#', (byte) 0xff});
    assertThatThrownBy(() -> new TargetReader(folder, SECRET).read("a", file))
        .hasMessage("a.toml is not UTF-8.");
  }
}
