package im.zonda.cluster.port;

import im.zonda.cluster.Member;
import im.zonda.cluster.frame.Frame;
import java.util.List;

/// Carries frames to other nodes.
@FunctionalInterface
public interface NodeTransport {
  /// Sends frames, in one message if they fit. Returns at once. Frames may be lost; two to one
  /// member are never reordered.
  ///
  /// @param frames taken over
  /// @param allArrived whether the member has received all earlier frames
  void send(Member to, List<Frame> frames, boolean allArrived);
}
