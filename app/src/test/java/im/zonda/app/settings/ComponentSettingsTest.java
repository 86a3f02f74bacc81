package im.zonda.app.settings;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.Components;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The section `[component]`: secrets by domain.
class ComponentSettingsTest {
  @TempDir private Path folder;

  private Settings read(String text) throws Exception {
    return new WrittenFile(folder).read(text);
  }

  private List<String> problems(String text) {
    return new WrittenFile(folder).problems(text);
  }

  @Test
  void componentsAreOffByDefault() throws Exception {
    assertThat(read("").config().component()).isEqualTo(Components.DEFAULTS);
    assertThat(Components.DEFAULTS.listen()).isEmpty();
  }

  @Test
  void theNearestNameHasTheSecret() throws Exception {
    Files.writeString(folder.resolve("secret"), "of the file\n");
    Settings settings =
        read(
            """
            [component]
            listen = ["127.0.0.1:5347"]
            give-up = "5s"
            [component.secret]
            "Gateway.Example.org" = "${file:secret}"
            "*.example.org" = "of all"
            "*.b.example.org" = "of b"
            """);
    Components components = settings.config().component();
    assertThat(components.giveUp()).isEqualTo(Duration.ofSeconds(5));
    assertThat(components.secretOf("gateway.example.org")).isEqualTo("of the file");
    assertThat(components.secretOf("x.example.org")).isEqualTo("of all");
    assertThat(components.secretOf("x.b.example.org")).isEqualTo("of b");
    assertThat(components.secretOf("b.example.org")).isEqualTo("of all");
    assertThat(components.secretOf("example.org")).isNull();
    assertThat(components.secretOf("xexample.org")).isNull();
    assertThat(components.domains()).containsExactly("gateway.example.org");
    assertThat(SettingsText.show(settings))
        .contains("\"gateway.example.org\" = \"(not shown)\"")
        .doesNotContain("of the file")
        .doesNotContain("of all");
    assertThat(settings.config().toString()).doesNotContain("of the file");
  }

  @Test
  void errorsSayWhereAndNeverTheSecret() throws Exception {
    List<String> problems =
        problems(
            """
            hosts = ["a.example", "b.example"]
            [component.secret]
            "a.example" = "s3cret"
            "rooms.b.example" = "s3cret"
            "*" = "s3cret"
            "c.example" = ""
            "d.example" = 123456789
            "e example" = "s3cret"
            "f.example" = "${file:missing}"
            """);
    assertThat(problems)
        .anySatisfy(problem ->
            assertThat(problem).isEqualTo("7:1: component.secret.d.example must be a string"))
        .anySatisfy(problem ->
            assertThat(problem)
                .isEqualTo("8:1: component.secret.e example: e example is no domain"))
        .anySatisfy(problem -> assertThat(problem).startsWith("9:1: cannot read missing"));
    assertThat(problems).noneMatch(problem -> problem.contains("s3cret"));
    assertThat(problems).noneMatch(problem -> problem.contains("123456789"));
  }

  @Test
  void noDomainOfTheServerIsAComponents() throws Exception {
    assertThat(
            problems(
                """
                hosts = ["a.example", "b.example"]
                [component.secret]
                "a.example" = "s3cret"
                "rooms.b.example" = "s3cret"
                "*" = "s3cret"
                "c.example" = ""
                """))
        .containsExactlyInAnyOrder(
            "3:1: component.secret.a.example: a.example is a host of this server",
            "4:1: component.secret.rooms.b.example: rooms.b.example is the room service of b.example",
            "5:1: component.secret.* must name a domain, or *. and a domain",
            "6:1: component.secret.c.example is empty");
  }
}
