package im.zonda.app.components;

import im.zonda.app.StandardModules;
import im.zonda.config.component.Components;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import java.io.IOException;

/// Starts servers on sockets that accept external components.
final class ComponentServers {
  private ComponentServers() {}

  static TestServer start(Components settings) {
    try {
      return ServerPlan.of(StandardModules::create).with("component", settings).startOnSockets();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
