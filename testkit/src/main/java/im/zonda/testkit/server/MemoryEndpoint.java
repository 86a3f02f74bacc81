package im.zonda.testkit.server;

import im.zonda.stream.StreamProfile;
import im.zonda.testkit.FakeClock;
import im.zonda.testkit.client.Inbox;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.Wire;
import java.net.InetSocketAddress;

/// A server without sockets, on the thread of the test.
record MemoryEndpoint(Pump pump, FakeClock clock, StreamProfile clients, StreamProfile components)
    implements Endpoint {
  @Override
  public Wire connect(Login.Security security, String domain) {
    return new MemoryWire(pump, clock, clients);
  }

  @Override
  public Wire connectComponent() {
    return new MemoryWire(pump, clock, components);
  }

  @Override
  public Inbox inbox() {
    return new PumpedInbox(pump);
  }

  @Override
  public InetSocketAddress address(Login.Security security) {
    throw new IllegalStateException("a server in memory has no address");
  }

  @Override
  public InetSocketAddress serverAddress(boolean directTls) {
    throw new IllegalStateException("a server in memory has no address");
  }

  @Override
  public Login.Security usualSecurity() {
    return Login.Security.NONE;
  }

  @Override
  public void settle() {
    pump.drain();
  }

  @Override
  public void close() {
    pump.drain();
  }
}
