package im.zonda.cluster.infinispan;

import org.jgroups.Message;
import org.jgroups.protocols.TCP;
import org.jgroups.protocols.TP;
import org.jgroups.protocols.TransferQueueBundler;
import org.jgroups.util.ByteArrayDataOutputStream;

/// Writes the messages of [PeerSender] on the threads that bring them, and all else on one of its
/// own: what the channel itself says may come from a thread that reads a connection and must not
/// wait for another one. Frames are joined to messages before they come here.
///
/// Made by the transport, by its name.
public final class FrameBundler extends TransferQueueBundler {
  private static final ScopedValue<Buffer> WRITING = ScopedValue.newInstance();

  /// What messages to one process are written to, one at a time.
  static final class Buffer {
    private static final int FIRST_BYTES = 4_096;

    private final ByteArrayDataOutputStream out = new ByteArrayDataOutputStream(FIRST_BYTES);
  }

  /// Has the calling thread write what it sends within the task.
  ///
  /// @throws Exception what the task throws
  static void write(Buffer buffer, Task task) throws Exception {
    ScopedValue.where(WRITING, buffer)
        .call(() -> {
          task.run();
          return buffer;
        });
  }

  /// Sends a message.
  @FunctionalInterface
  interface Task {
    void run() throws Exception;
  }

  @Override
  public void init(TP transport) {
    super.init(transport);
    if (transport instanceof TCP tcp) {
      // The class above has one thread that writes, and switches the lock off.
      tcp.useLockToSend(true);
    }
  }

  @Override
  public void send(Message message) throws Exception {
    if (!running || !WRITING.isBound()) {
      super.send(message);
      return;
    }
    ByteArrayDataOutputStream out = WRITING.get().out;
    out.position(0);
    try {
      sendSingle(message.getDest(), message, out);
    } catch (Exception e) {
      // As the other thread does it: the protocol above sends again what was lost.
      log.trace("%s: not sent to %s: %s", transport.getAddress(), message.getDest(), e);
    }
  }
}
