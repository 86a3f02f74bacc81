package im.zonda.bench.scenario.cluster;

import im.zonda.bench.load.Load;
import im.zonda.bench.load.LoginRamp;
import im.zonda.bench.xmpp.ElementListener;
import im.zonda.bench.xmpp.XmppClient;
import java.io.IOException;
import java.util.Map;

/// Users who are online and do nothing.
final class Idlers implements AutoCloseable {
  private final Load load;
  private final int first;
  private Map<Integer, XmppClient> clients = Map.of();

  /// @param first the number of the first one
  Idlers(Load load, int first) {
    this.load = load;
    this.first = first;
  }

  /// Logs in those of this process.
  void login() throws IOException, InterruptedException {
    clients =
        LoginRamp.of(load)
            .login(
                first,
                first + load.options().whole("sessions"),
                number -> LoginRamp.user(load, number),
                _ -> ElementListener.NONE);
  }

  @Override
  public void close() {
    clients.values().forEach(XmppClient::close);
  }
}
