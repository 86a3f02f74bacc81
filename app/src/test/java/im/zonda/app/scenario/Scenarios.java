package im.zonda.app.scenario;

import im.zonda.app.StandardModules;
import im.zonda.config.Administration;
import im.zonda.config.DataPolicy;
import im.zonda.config.ExternalService;
import im.zonda.config.Guests;
import im.zonda.config.Proxy;
import im.zonda.config.PubSub;
import im.zonda.config.ServerConfig;
import im.zonda.config.Services;
import im.zonda.config.Services.Invitations.Inviters;
import im.zonda.config.component.ComponentDelegation;
import im.zonda.config.component.ComponentPrivilege;
import im.zonda.config.group.GroupSettings;
import im.zonda.testkit.scenario.Scenario;
import im.zonda.testkit.scenario.ScenarioParser;
import im.zonda.testkit.server.ServerPlan;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/// The scenario files of all modules; with `-Dscenario=word` only those whose path holds the word.
final class Scenarios {
  private static final Path FOLDER = Path.of("../modules/src/test/scenarios");

  /// With the address in the examples of XEP-0065.
  private static final Proxy PROXY =
      new Proxy(List.of("127.0.0.1:0"), "24.24.24.1", 7625, "streamer", List.of());

  private Scenarios() {}

  /// A server for scenarios: `example.org`, `capulet.lit` with components as in the examples of the
  /// extensions for these, `shakespeare.lit` with further services, and `example.com` with guests.
  /// The component `pubsub.capulet.lit` may do everything.
  static ServerPlan plan() {
    ComponentPrivilege all =
        new ComponentPrivilege(
            List.of(),
            ComponentPrivilege.Access.BOTH,
            true,
            ComponentPrivilege.Messages.OUTGOING,
            ComponentPrivilege.PresenceOf.ROSTER,
            List.of(),
            List.of("http://jabber.org/protocol/pubsub"));
    ComponentDelegation managed =
        new ComponentDelegation(
            List.of(),
            List.of(
                "urn:xmpp:mam:2 node",
                "http://jabber.org/protocol/pubsub",
                "urn:xmpp:delegation:2:bare:disco#info:*",
                "urn:xmpp:delegation:2:bare:disco#items:*"));
    return ServerPlan.of(StandardModules::create)
        .withHosts("example.org", "capulet.lit", "shakespeare.lit", "example.com", "verona.lit")
        .with(
            "host",
            Map.of(
                "shakespeare.lit",
                shakespeare(),
                "capulet.lit",
                capulet(),
                "example.com",
                guests(),
                "verona.lit",
                verona()))
        .with("proxy", PROXY)
        .with("modulesOff", Set.of("bytestreams"))
        .with("component.secret", Map.of("*.capulet.lit", "secret"))
        .with("component.privilege", Map.of("pubsub.capulet.lit", all))
        .with("component.delegation", Map.of("pubsub.capulet.lit", managed));
  }

  /// A component has the domain that the publish-subscribe service has elsewhere; registration asks
  /// a question, and a data policy is published.
  private static ServerConfig.Host capulet() {
    PubSub nodes = new PubSub("nodes", PubSub.Creation.ACCOUNTS, List.of());
    DataPolicy policy =
        new DataPolicy(
            "https://capulet.lit/terms",
            "infinite",
            false,
            false,
            false,
            false,
            List.of("admins"),
            "",
            "",
            List.of());
    Services services = Services.DEFAULTS.with(nodes).with(policy);
    ServerConfig.Registration registration =
        new ServerConfig.Registration(true, 0, "Type the color of a stop light", List.of("red"), 8);
    return new ServerConfig.Host(registration, null, null, services, null, null, null, null);
  }

  /// Shared groups: in each other, hidden, and too large for everyone's presence.
  private static ServerConfig.Host verona() {
    Map<String, GroupSettings> groups =
        Map.of(
            "friends",
            group("Friends", List.of("romeo", "mercutio"), List.of("house"), false, List.of(), 500),
            "house",
            group("House", List.of("benvolio"), List.of("friends"), false, List.of(), 500),
            "guard",
            group("Guard", List.of("tybalt", "samson"), List.of(), true, List.of("court"), 500),
            "court",
            group("Court", List.of("prince", "page"), List.of(), true, List.of(), 500),
            "crowd",
            group("Crowd", List.of("peter", "gregory", "abram"), List.of(), false, List.of(), 2));
    return new ServerConfig.Host(
        null, null, null, null, null, null, null, null, null, null, groups, null);
  }

  private static GroupSettings group(
      String name,
      List<String> members,
      List<String> groups,
      boolean hidden,
      List<String> seenBy,
      int limit) {
    return new GroupSettings(name, members, false, groups, hidden, seenBy, limit);
  }

  /// Guests as in XEP-0175, and an administrator.
  private static ServerConfig.Host guests() {
    Services services =
        Services.DEFAULTS
            .with(new Guests(true, true, true, 10, 10, 0))
            .with(Administration.DEFAULTS.withAdmins(List.of("romeo@example.com")));
    return new ServerConfig.Host(null, null, null, services, null, null, null, null);
  }

  /// External services as in XEP-0215, a search for users as in XEP-0055, and invitations.
  private static ServerConfig.Host shakespeare() {
    Duration hour = Duration.ofHours(1);
    ExternalService stun =
        new ExternalService(
            "stun", "stun.shakespeare.lit", 9998, "udp", null, null, hour, null, null);
    ExternalService turn =
        new ExternalService(
            "turn", "turn.shakespeare.lit", 9999, "udp", null, "secret", hour, null, null);
    ExternalService ftp =
        new ExternalService(
            "ftp",
            "ftp.shakespeare.lit",
            20,
            "tcp",
            "Shakespearean File Server",
            null,
            hour,
            "guest",
            "guest");
    Services services =
        new Services(
                Services.Push.DEFAULTS,
                Map.of("stun", stun, "turn", turn, "ftp", ftp),
                new Services.Search(
                    Services.Search.Users.OPTED_IN,
                    List.of("first", "last", "nick", "email"),
                    "characters",
                    50))
            .with(new PubSub("pubsub", PubSub.Creation.ACCOUNTS, List.of(), true))
            .with(Administration.DEFAULTS.withAdmins(List.of("bard@shakespeare.lit")))
            .with(
                new Services.Invitations(
                    Inviters.EVERYONE,
                    Inviters.ADMINS,
                    Duration.ofDays(7),
                    "https://shakespeare.lit/invite/"));
    return new ServerConfig.Host(null, null, null, services, null, Set.of(), null, null);
  }

  /// All of them, by name; fails if there are none.
  static List<Path> all() {
    try (Stream<Path> files = Files.walk(FOLDER)) {
      String word = System.getProperty("scenario", "");
      List<Path> found =
          files
              .filter(f -> f.toString().endsWith(".xmpp") && f.toString().contains(word))
              .sorted()
              .toList();
      if (found.isEmpty()) {
        throw new AssertionError("no scenario in " + FOLDER.toAbsolutePath());
      }
      return found;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Whether [#all] are really all of them.
  static boolean areAll() {
    return System.getProperty("scenario", "").isEmpty();
  }

  static Scenario read(Path file) {
    try {
      return ScenarioParser.read(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The name of a test.
  static String name(Path file) {
    return FOLDER.relativize(file).toString();
  }
}
