package im.zonda.cluster.infinispan;

import org.jgroups.Message;
import org.jgroups.protocols.TransferQueueBundler;
import org.jgroups.util.ByteArrayDataOutputStream;

/// Writes what the threads of [PeerSender] send on these threads, and all else on one of its own:
/// what the channel itself says may come from a thread that reads a connection and must not wait
/// for another one. Frames are joined to messages before they come here.
///
/// Made by the transport, by its name.
public final class FrameBundler extends TransferQueueBundler {
  /// A thread that may block, and writes itself what it sends.
  static final class Writer extends Thread {
    private static final int FIRST_BYTES = 4_096;

    private final ByteArrayDataOutputStream out = new ByteArrayDataOutputStream(FIRST_BYTES);

    Writer(String name, Runnable task) {
      super(task, name);
      setDaemon(true);
    }
  }

  @Override
  public void send(Message message) throws Exception {
    if (!running || !(Thread.currentThread() instanceof Writer writer)) {
      super.send(message);
      return;
    }
    writer.out.position(0);
    try {
      sendSingle(message.getDest(), message, writer.out);
    } catch (Exception e) {
      // As the other thread does it: the protocol above sends again what was lost.
      log.trace("%s: not sent to %s: %s", transport.getAddress(), message.getDest(), e);
    }
  }
}
