package im.zonda.testkit.scenario;

import im.zonda.testkit.xml.XmlElement;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A dialogue between clients and a server, or several servers.
///
/// @param source the file, for messages
/// @param title its first comment; empty if there is none
/// @param servers the domains of the servers; empty if there is one, of the clients' domains
/// @param clients the clients' names and full addresses, in the order they are declared
/// @param components the names and domains of external components
/// @param steps the steps in order
public record Scenario(
    String source,
    String title,
    List<String> servers,
    Map<String, String> clients,
    Map<String, String> components,
    List<Step> steps) {
  private static final Pattern SERVED = Pattern.compile("\\bto='([^'@/\\s]+@[^'@/\\s]+)");

  /// A step.
  public sealed interface Step {
    /// The line in the file, from 1.
    int line();
  }

  /// A client logs in and binds its resource, or a component connects.
  public record Connects(int line, String client) implements Step {}

  /// A client opens a stream, with TLS if the server's clients have it, and does not log in.
  public record Opens(int line, String client) implements Step {}

  /// A client sends XML as written.
  public record Sends(int line, String client, String xml) implements Step {}

  /// A client receives these elements next.
  ///
  /// @param anyOrder whether they may come in any order
  /// @param atLeast whether more children and attributes than those written are right
  public record Receives(
      int line, String client, List<XmlElement> expected, boolean anyOrder, boolean atLeast)
      implements Step {}

  /// A client receives nothing once all stanzas sent have been processed.
  public record ReceivesNothing(int line, String client) implements Step {}

  /// A client enters a room (XEP-0045) and skips everything received until then. If that creates
  /// the room, it is unlocked with the default configuration.
  ///
  /// @param occupant the room's address, and the nickname as its resource
  public record Enters(int line, String client, String occupant) implements Step {}

  /// Ignores everything that a client has received up to now.
  public record Skips(int line, String client) implements Step {}

  /// A client closes its stream.
  public record Disconnects(int line, String client) implements Step {}

  /// A client's connection breaks.
  public record Drops(int line, String client) implements Step {}

  /// The server of a domain stops.
  public record Stops(int line, String server) implements Step {}

  /// Time passes.
  public record Advances(int line, Duration step) implements Step {}

  /// The bare addresses at the clients' hosts and at services of these (`rooms.example.org`) that
  /// anything is sent to, in order, without those of the clients.
  public Set<String> addressees() {
    Set<String> addressees = new LinkedHashSet<>();
    for (Step step : steps) {
      Matcher address = SERVED.matcher(step instanceof Sends(_, _, String xml) ? xml : "");
      while (address.find()) {
        addressees.add(address.group(1));
      }
      if (step instanceof Enters(_, _, String occupant)) {
        addressees.add(occupant.substring(0, occupant.indexOf('/')));
      }
    }
    addressees.removeIf(addressee ->
        clients.values().stream()
            .map(client -> client.substring(client.indexOf('@') + 1, client.indexOf('/')))
            .noneMatch(host -> addressee.endsWith("@" + host) || addressee.endsWith("." + host)));
    clients.values().forEach(client -> addressees.remove(client.substring(0, client.indexOf('/'))));
    return addressees;
  }

  /// Whether it advances the time, which requires a server with a fake clock.
  public boolean movesTime() {
    return steps.stream().anyMatch(Advances.class::isInstance);
  }
}
