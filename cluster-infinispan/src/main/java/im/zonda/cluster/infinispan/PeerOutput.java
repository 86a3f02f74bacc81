package im.zonda.cluster.infinispan;

import static org.jgroups.Message.Flag.NO_FC;
import static org.jgroups.Message.Flag.NO_RELIABILITY;

import org.jgroups.Address;
import org.jgroups.BytesMessage;
import org.jgroups.Message;
import org.jgroups.fork.ForkChannel;

/// Sends messages to a process on the channel of frames. The channel keeps their order; it neither
/// repeats nor bounds them, because links do: they number the values, ask for those that were lost
/// and have a window ([im.zonda.cluster.channel]). A message in fragments is repeated, because a
/// lost fragment would leave the others behind.
///
/// @param channel the fork of the engine's channel
/// @param transport knows which connections are open
/// @param to the address of the process
record PeerOutput(ForkChannel channel, TcpTransport transport, Address to)
    implements PeerSender.Output {
  @Override
  public void send(byte[] message, FrameBundler.Buffer buffer) throws Exception {
    Message sent = new BytesMessage(to, message);
    if (message.length <= ProtocolStack.FRAGMENT) {
      sent.setFlag(NO_RELIABILITY, NO_FC);
    }
    FrameBundler.write(buffer, () -> channel.send(sent));
  }

  @Override
  public boolean isConnected() {
    return transport.isConnectedTo(to);
  }
}
