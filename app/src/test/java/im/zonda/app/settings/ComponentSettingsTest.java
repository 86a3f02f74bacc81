package im.zonda.app.settings;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.component.ComponentDelegation;
import im.zonda.config.component.ComponentPrivilege;
import im.zonda.config.component.Components;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
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
                "pubsub.a.example" = "s3cret"
                """))
        .containsExactlyInAnyOrder(
            "3:1: component.secret.a.example: a.example is a host of this server",
            "4:1: component.secret.rooms.b.example: rooms.b.example is the room service of b.example;"
                + " rooms.prefix changes the name of the service",
            "7:1: component.secret.pubsub.a.example: pubsub.a.example is the publish-subscribe"
                + " service of a.example; services.pubsub.prefix changes the name of the service",
            "5:1: component.secret.* must name a domain, or *. and a domain",
            "6:1: component.secret.c.example is empty");
  }

  @Test
  void rightsAreGivenByComponent() throws Exception {
    Components components =
        read("""
        hosts = ["a.example", "b.example"]
        [component.secret]
        "*.a.example" = "s3cret"
        [component.privilege."Pubsub.a.example"]
        roster = "get"
        presence = "managed-entity"
        iq-get = ["x", "y"]
        iq-set = ["y"]
        [component.privilege."other.a.example"]
        hosts = ["b.example"]
        [component.delegation."pubsub.a.example"]
        namespaces = ["urn:xmpp:mam:2 node by", "x"]
        """)
            .config()
            .component();
    ComponentPrivilege privilege =
        Objects.requireNonNull(components.privilegesAt("a.example").get("pubsub.a.example"));
    assertThat(privilege.roster()).isEqualTo(ComponentPrivilege.Access.GET);
    assertThat(privilege.getsPushes()).isTrue();
    assertThat(privilege.message()).isEqualTo(ComponentPrivilege.Messages.NONE);
    assertThat(privilege.presence()).isEqualTo(ComponentPrivilege.PresenceOf.MANAGED_ENTITY);
    assertThat(privilege.iq("x")).isEqualTo(ComponentPrivilege.Access.GET);
    assertThat(privilege.iq("y")).isEqualTo(ComponentPrivilege.Access.BOTH);
    assertThat(privilege.iq("z")).isEqualTo(ComponentPrivilege.Access.NONE);
    assertThat(components.privilegesAt("a.example")).containsOnlyKeys("pubsub.a.example");
    assertThat(components.privilegesAt("b.example")).containsOnlyKeys("other.a.example");
    assertThat(components.delegationsAt("b.example")).isEmpty();
    ComponentDelegation delegation =
        Objects.requireNonNull(components.delegationsAt("a.example").get("pubsub.a.example"));
    assertThat(delegation.delegated())
        .containsExactly(
            new ComponentDelegation.Namespace("urn:xmpp:mam:2", List.of("node", "by")),
            new ComponentDelegation.Namespace("x", List.of()));
  }

  @Test
  void rightsThatCannotBeGivenAreNamed() throws Exception {
    assertThat(
            problems(
                """
                hosts = ["a.example"]
                [component.secret]
                "*.a.example" = "s3cret"
                "b.example" = "s3cret"
                [component.privilege."x.a.example"]
                roster = "set"
                presence = "roster"
                [component.privilege."b.example"]
                [component.privilege."c.example"]
                hosts = ["a.example", "d.example"]
                [component.delegation."x.a.example"]
                namespaces = ["urn:xmpp:delegation:2", "y"]
                [component.delegation."z.a.example"]
                namespaces = ["y"]
                """))
        .containsExactlyInAnyOrder(
            "7:1: component.privilege.x.a.example.presence is \"roster\", so roster must be"
                + " \"get\" or \"both\"",
            "8:1: component.privilege.b.example.hosts must be set, because b.example is below no"
                + " host",
            "9:1: component.privilege.c.example: component.secret has no secret for c.example",
            "10:1: component.privilege.c.example.hosts: d.example is no host of this server",
            "12:1: component.delegation.x.a.example.namespaces: urn:xmpp:delegation:2 is not"
                + " delegated",
            "14:1: component.delegation.z.a.example.namespaces: y is delegated twice for"
                + " a.example");
  }
}
