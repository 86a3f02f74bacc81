package im.zonda.app.settings;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.ExternalService;
import im.zonda.config.ServerConfig;
import im.zonda.config.Services;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The settings of push notifications, external services and the search for users.
class ServiceSettingsTest {
  @TempDir private Path folder;

  private static ExternalService get(Map<String, ExternalService> all, String name) {
    return Objects.requireNonNull(all.get(name));
  }

  @Test
  void theExampleOfTheReferenceIsRead() throws Exception {
    Files.writeString(folder.resolve("turn"), "s3cret\n");
    Files.writeString(folder.resolve("turn-net"), "s3cret too\n");
    String reference = SettingsText.reference();
    int from = reference.indexOf("```toml\n[services.external") + 8;
    String example =
        reference
            .substring(from, reference.indexOf("```", from))
            .replace("/etc/zonda/turn-secret", "turn");
    Settings settings =
        new WrittenFile(folder).read("hosts = [\"example.org\", \"example.net\"]\n" + example);
    ServerConfig config = settings.config();
    Map<String, ExternalService> all = config.at("example.org").services().external();
    assertThat(all).containsOnlyKeys("stun", "turn");
    assertThat(get(all, "stun").isRestricted()).isFalse();
    assertThat(get(all, "turn").secret()).isEqualTo("s3cret");
    assertThat(get(all, "turn").lifetime()).isEqualTo(Duration.ofHours(12));
    Map<String, ExternalService> own = config.at("example.net").services().external();
    assertThat(own).containsOnlyKeys("turn");
    assertThat(get(own, "turn").secret()).isEqualTo("s3cret too");
    assertThat(SettingsText.show(settings))
        .contains("secret = \"(not shown)\"")
        .contains("[services.external.turn]")
        .doesNotContain("s3cret");
    assertThat(config.toString()).doesNotContain("s3cret");
  }

  @Test
  void aHostKeepsWhatItDoesNotSet() throws Exception {
    ServerConfig config =
        new WrittenFile(folder)
            .read(
                """
                hosts = ["a.example", "b.example"]
                [services.push]
                content = "sender"
                [services.external.stun]
                type = "stun"
                host = "stun.example"
                [host."b.example".services.search]
                users = "all"
                """)
            .config();
    Services own = config.at("b.example").services();
    assertThat(own.push().content()).isEqualTo(Services.Push.Content.SENDER);
    assertThat(own.external()).containsOnlyKeys("stun");
    assertThat(own.search().isOn()).isTrue();
    assertThat(config.at("a.example").services().search().isOn()).isFalse();
    assertThat(config.serviceDomains("b.example"))
        .containsExactly(
            "rooms.b.example", "pubsub.b.example", "search.b.example", "upload.b.example");
    assertThat(config.serviceDomains("a.example"))
        .containsExactly("rooms.a.example", "pubsub.a.example", "upload.a.example");
  }

  @Test
  void whatIsMissingOrContradictsIsReported() {
    assertThat(
            new WrittenFile(folder)
                .problems(
                    """
                    [services.external.a]
                    host = "h"
                    [services.external.b]
                    type = "turn server"
                    [services.external.c]
                    type = "turn"
                    host = "h"
                    username = "u"
                    transport = ""
                    [services.external.d]
                    type = "turn"
                    host = "h"
                    username = "u"
                    password = "123456789"
                    secret = "123456789"
                    [services.external.e]
                    type = "turn"
                    host = "h"
                    secret = ""
                    [services.search]
                    users = "all"
                    fields = ["first", "phone"]
                    prefix = "a b"
                    """))
        .containsExactlyInAnyOrder(
            "1:1: services.external.a.type must be set, to a word such as \"turn\"",
            "3:1: services.external.b.type must be set, to a word such as \"turn\"",
            "3:1: services.external.b.host must be set",
            "5:1: services.external.c.username and services.external.c.password must be set together",
            "9:1: services.external.c.transport must be a word such as \"udp\"",
            "10:1: services.external.d.secret and services.external.d.password must not be set together",
            "16:1: services.external.e has an empty secret or password",
            "22:1: services.search.fields may contain \"first\", \"last\", \"nick\" and \"email\", not \"phone\"",
            "23:1: services.search.prefix is not a part of a domain");
  }

  @Test
  void theSearchNeedsADomainOfItsOwn() {
    assertThat(
            new WrittenFile(folder)
                .problems(
                    """
                    hosts = ["a.example", "search.a.example"]
                    [host."a.example".services.search]
                    users = "all"
                    """))
        .containsExactly(
            "1:1: search.a.example is the search of a.example and cannot be served twice;"
                + " services.search.prefix changes its name");
  }
}
