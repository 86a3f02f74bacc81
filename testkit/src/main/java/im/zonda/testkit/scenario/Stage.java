package im.zonda.testkit.scenario;

import im.zonda.testkit.client.ScriptedClient;
import java.time.Duration;
import java.util.Collection;

/// The server of a scenario, as the runner uses it.
public interface Stage {
  /// Creates accounts for these full JIDs, before the first step.
  void accounts(Collection<String> addresses);

  /// Creates a client that has logged in and bound this full JID.
  ScriptedClient connect(String address);

  /// A client that has opened a stream to that address's host, with TLS if the server's clients
  /// have it, and has not authenticated.
  ScriptedClient open(String address);

  /// Stops the server of a domain. Only where there are several.
  default void stop(String server) {
    throw new UnsupportedOperationException("there is one server");
  }

  /// An external component (XEP-0114) of that domain that has authenticated.
  default ScriptedClient component(String domain) {
    throw new UnsupportedOperationException("there are no external components");
  }

  /// Advances the time.
  void advance(Duration step);
}
