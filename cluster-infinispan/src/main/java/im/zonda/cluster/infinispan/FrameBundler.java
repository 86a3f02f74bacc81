package im.zonda.cluster.infinispan;

import org.jgroups.Message;
import org.jgroups.protocols.TransferQueueBundler;
import org.jgroups.util.ByteArrayDataOutputStream;
import org.jspecify.annotations.Nullable;

/// Writes what the threads of [PeerSender] send on these threads, and all else on one of its own:
/// what the channel itself says may come from a thread that reads a connection and must not wait
/// for another one. Frames are joined to messages before they come here.
///
/// Made by the transport, by its name.
public final class FrameBundler extends TransferQueueBundler {
  private static final int FIRST_BYTES = 4_096;

  /// What a thread that writes itself writes to; null on all others.
  private static final ThreadLocal<@Nullable ByteArrayDataOutputStream> OWN = new ThreadLocal<>();

  /// The current thread, which may block, writes what it sends.
  static void writeHere() {
    OWN.set(new ByteArrayDataOutputStream(FIRST_BYTES));
  }

  @Override
  public void send(Message message) throws Exception {
    ByteArrayDataOutputStream own = OWN.get();
    if (own == null || !running) {
      super.send(message);
      return;
    }
    own.position(0);
    try {
      sendSingle(message.getDest(), message, own);
    } catch (Exception e) {
      // As the other thread does it: the protocol above sends again what was lost.
      log.trace("%s: not sent to %s: %s", transport.getAddress(), message.getDest(), e);
    }
  }
}
