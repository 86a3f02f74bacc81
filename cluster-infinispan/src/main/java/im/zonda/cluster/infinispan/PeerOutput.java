package im.zonda.cluster.infinispan;

import org.jgroups.Address;
import org.jgroups.BytesMessage;
import org.jgroups.fork.ForkChannel;

/// Sends messages to a process on the channel of frames.
///
/// @param channel the fork of the engine's channel
/// @param transport knows which connections are open
/// @param to the address of the process
record PeerOutput(ForkChannel channel, NodeTransport transport, Address to)
    implements PeerSender.Output {
  @Override
  public void send(byte[] message, FrameBundler.Buffer buffer) throws Exception {
    FrameBundler.write(buffer, () -> channel.send(new BytesMessage(to, message)));
  }

  @Override
  public boolean isConnected() {
    return transport.isConnectedTo(to);
  }
}
