package im.zonda.testkit.scenario;

import im.zonda.testkit.xml.XmlElement;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// A dialogue between clients and a server.
///
/// @param source where it was read, for messages
/// @param title its first comment; empty if there is none
/// @param clients the clients' names and full addresses, in the order they are declared
/// @param steps what happens, in order
public record Scenario(String source, String title, Map<String, String> clients, List<Step> steps) {

  /// One thing that happens.
  public sealed interface Step {
    /// The line in the file, from 1.
    int line();
  }

  /// A client logs in and binds its resource.
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

  /// A client has nothing to receive once all that was sent has been dealt with.
  public record ReceivesNothing(int line, String client) implements Step {}

  /// A client closes its stream.
  public record Disconnects(int line, String client) implements Step {}

  /// A client's connection breaks.
  public record Drops(int line, String client) implements Step {}

  /// Time passes.
  public record Advances(int line, Duration step) implements Step {}

  /// Whether time passes in it, so that only a server with a fake clock can take part.
  public boolean movesTime() {
    return steps.stream().anyMatch(Advances.class::isInstance);
  }
}
