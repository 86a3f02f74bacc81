package im.zonda.cluster.infinispan;

import im.zonda.cluster.engine.ClusterEngine;
import java.util.List;
import org.jgroups.Message;
import org.jgroups.Receiver;
import org.jgroups.View;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Receives messages with frames, and views. The channel calls it for one message of a sender at a
/// time, in order.
final class FrameReceiver implements Receiver {
  private static final Logger LOG = LoggerFactory.getLogger(FrameReceiver.class);

  private final ClusterEngine.Listener listener;
  private final Peers peers;
  private final Runnable viewChanged;

  /// @param viewChanged called after the peers have the view
  FrameReceiver(ClusterEngine.Listener listener, Peers peers, Runnable viewChanged) {
    this.listener = listener;
    this.peers = peers;
    this.viewChanged = viewChanged;
  }

  @Override
  public void receive(Message message) {
    if (!message.hasArray()) {
      return;
    }
    List<byte[]> frames;
    try {
      frames = FrameBatch.split(message.getArray(), message.getOffset(), message.getLength());
    } catch (IllegalArgumentException e) {
      LOG.atWarn()
          .addKeyValue("from", message.getSrc())
          .addKeyValue("problem", e.getMessage())
          .log("cluster_message_refused");
      return;
    }
    listener.received(frames);
  }

  @Override
  public void viewAccepted(View view) {
    peers.viewChanged(view);
    viewChanged.run();
  }
}
