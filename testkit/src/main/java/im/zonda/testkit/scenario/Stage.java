package im.zonda.testkit.scenario;

import im.zonda.testkit.client.ScriptedClient;
import java.time.Duration;
import java.util.Collection;

/// The server side of a scenario: what the runner needs of a server, wherever it runs.
public interface Stage {
  /// Creates accounts for these full JIDs, before the first step.
  void accounts(Collection<String> addresses);

  /// A client that has logged in and bound that full address.
  ScriptedClient connect(String address);

  /// A client that has opened a stream to that address's host, with TLS if the server's clients
  /// have it, and has not authenticated.
  ScriptedClient open(String address);

  /// Lets time pass.
  void advance(Duration step);
}
