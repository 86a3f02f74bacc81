package im.zonda.bench.target;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import im.zonda.bench.load.Options;
import im.zonda.bench.process.Addresses;
import im.zonda.bench.process.Certificates;
import im.zonda.bench.process.TemporaryFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Tests of the processes of a Zonda under load, and of settings of other servers.
class LayoutTest {
  private static TargetOptions options(Map<String, String> given) {
    Map<String, String> values = new HashMap<>();
    Targets.OPTIONS.forEach(option -> values.put(option.name(), option.usual()));
    values.putAll(given);
    return new TargetOptions(new Options(values));
  }

  private static ZondaLayout layout(TemporaryFolder folder, Map<String, String> given)
      throws IOException {
    ZondaLayout layout = new ZondaLayout(options(given), folder, false);
    Certificates certificates =
        new Certificates(folder.path().resolve("host.crt"), folder.path().resolve("host.key"));
    layout.prepare(new Database("url = \"postgresql://127.0.0.1/bench\"\n", null), certificates);
    return layout;
  }

  @Test
  void theNodesOfAClusterHaveAddressesAndDataOfTheirOwnAndShareTheRest() throws IOException {
    try (TemporaryFolder folder = new TemporaryFolder()) {
      ZondaLayout layout = layout(folder, Map.of("nodes", "2"));
      assertEquals(
          List.of("node 1", "node 2"),
          layout.nodes().stream().map(ZondaLayout.Node::name).toList());
      String second = Files.readString(layout.nodes().get(1).settings());
      assertTrue(second.contains("hosts = [\"bench.test\"]\n"), second);
      assertTrue(second.contains("/data1\"\n"), second);
      assertTrue(second.contains("url = \"postgresql://127.0.0.1/bench\"\n"), second);
      assertTrue(
          second.contains("[cluster]\nname = \"bench\"\nnode = \"n2\"\nbind = \"127.0.0.2:"));
      assertEquals(2, layout.clients().size());
      assertEquals("127.0.0.2", layout.clients().get(1).tcp().getAddress().getHostAddress());
    }
  }

  @Test
  void clientsOfEdgesConnectToThem() throws IOException {
    try (TemporaryFolder folder = new TemporaryFolder()) {
      ZondaLayout layout = layout(folder, Map.of("edges", "2"));
      assertEquals(1, layout.nodes().size());
      assertEquals(
          List.of("edge 1", "edge 2"),
          layout.edges().stream().map(ZondaLayout.Node::name).toList());
      String core = Files.readString(layout.nodes().getFirst().settings());
      String edge = Files.readString(layout.edges().getFirst().settings());
      String listen = core.substring(core.indexOf("[edges]\nlisten = [") + 18);
      String address = listen.substring(0, listen.indexOf(']'));
      assertTrue(edge.startsWith("[edge]\ncores = [" + address + "]\n"), edge);
      assertEquals(2, layout.clients().size());
    }
  }

  @Test
  void serversAreConnectedToEachOther() throws IOException {
    try (TemporaryFolder folder = new TemporaryFolder()) {
      ZondaLayout layout = layout(folder, Map.of("servers", "2"));
      assertEquals(List.of("h1.bench.test"), layout.domainsOf(1));
      String second = Files.readString(layout.nodes().get(1).settings());
      assertTrue(second.contains("hosts = [\"h1.bench.test\"]\n"), second);
      assertTrue(second.contains("[s2s.route]\n\"bench.test\" = \"127.0.0.1:"), second);
      assertEquals(
          List.of("bench.test", "h1.bench.test"),
          layout.clients().stream().map(ZondaLayout.Client::domain).toList());
    }
  }

  @Test
  void hostsAreOfOneServer() throws IOException {
    try (TemporaryFolder folder = new TemporaryFolder()) {
      ZondaLayout layout = layout(folder, Map.of("hosts", "3"));
      assertEquals(1, layout.nodes().size());
      assertEquals(List.of("bench.test", "h1.bench.test", "h2.bench.test"), layout.domainsOf(0));
      assertEquals(3, layout.clients().size());
    }
  }

  @Test
  void aDatabaseMayBeSomebodyElses() throws IOException {
    try (TemporaryFolder folder = new TemporaryFolder()) {
      Addresses addresses = new Addresses();
      assertEquals("", Database.start("sqlite", folder, addresses.free()).settings());
      assertEquals(
          "url = \"postgresql://db.example/load\"\nuser = \"me\"\npassword = \"a:b\"\n",
          Database.start("postgresql://me:a:b@db.example/load", folder, addresses.free())
              .settings());
      assertThrows(
          IllegalArgumentException.class, () -> Database.start("oracle", folder, addresses.free()));
    }
  }

  @Test
  void everyPlaceOfATemplateIsFilledIn() {
    Map<String, String> values = new HashMap<>();
    for (String name : List.of("PORT", "HTTP_PORT", "DOMAIN", "DIR", "STARTTLS", "TLS", "SQL")) {
      values.put(name, name.toLowerCase(Locale.ROOT));
    }
    values.put("CERTIFICATES", "");
    assertEquals(
        "ejabberd.yml.in wants @ARCHIVE@",
        assertThrows(IllegalStateException.class, () -> Template.fill("ejabberd.yml.in", values))
            .getMessage());
    values.put("ARCHIVE", "");
    values.put("ARCHIVED", "false");
    String text = Template.fill("ejabberd.yml.in", values);
    assertTrue(text.contains("hosts: [\"domain\"]"), text);
  }

  @Test
  void contactsAreOnARingAndOnBothSides() {
    assertEquals(Set.of(9, 1), Registration.contacts(0, 10, 2));
    assertEquals(Set.of(3, 4, 6, 7), Registration.contacts(5, 10, 4));
    assertEquals(Set.of(1, 2), Registration.contacts(0, 3, 40));
    assertEquals(Set.of(), Registration.contacts(0, 1, 40));
    for (int user = 0; user < 10; user++) {
      for (int contact : Registration.contacts(user, 10, 4)) {
        assertTrue(Registration.contacts(contact, 10, 4).contains(user));
      }
    }
  }
}
