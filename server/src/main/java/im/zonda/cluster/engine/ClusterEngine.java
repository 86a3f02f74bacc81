package im.zonda.cluster.engine;

import im.zonda.cluster.Member;
import im.zonda.cluster.placement.Topology;
import java.io.IOException;
import java.util.List;

/// Connects the processes of a cluster: proposes tables of segments and carries frames. One engine
/// is one incarnation of a node; a process that has to begin again closes it and starts another.
public interface ClusterEngine extends AutoCloseable {
  /// The size of the largest frame in bytes.
  int MAX_FRAME = 16 << 20;

  /// The most bytes of a value within a frame: addresses and counts surround it.
  int MAX_VALUE = MAX_FRAME - 65_536;

  /// Receives what the engine reports. Calls come from threads of the engine and must return soon;
  /// they must neither block nor call the engine, except [ClusterEngine#send].
  interface Listener {
    /// The engine has another table. Tables of one engine come in order.
    void topologyChanged(Topology topology);

    /// Frames of another process that have come together. Frames of one sender come in order.
    ///
    /// @param frames no longer used by the engine
    void received(List<byte[]> frames);
  }

  /// When a frame is to leave.
  enum Departure {
    /// They may wait some milliseconds for the next frame, to go with that.
    MAY_WAIT,

    /// At once.
    AT_ONCE,

    /// At once, and all that was sent to the process before has arrived there: to write the frame
    /// does not block, so that the caller's thread can do it.
    AFTER_ALL_ARRIVED
  }

  /// Joins the other processes. Blocks until this process is connected; tables and frames may come
  /// before it returns. To be called once.
  ///
  /// @throws IOException if its address cannot be used
  void start(Listener listener) throws IOException;

  /// Sends frames to a process, as one message if they are small enough. Never blocks. What exceeds
  /// the bound of that process, or goes to a process that the engine does not see, is discarded:
  /// the links of the protocol send it again.
  ///
  /// @param frames taken over, not copied
  /// @param departure when they are to leave. The order of frames is kept
  void send(Member to, List<byte[]> frames, Departure departure);

  /// The member that this engine is.
  Member self();

  /// Leaves the other processes. What was sent may be lost.
  @Override
  void close();
}
