package im.zonda.node;

import im.zonda.cluster.Member;
import im.zonda.cluster.frame.Frame;

/// Carries frames to other nodes.
@FunctionalInterface
public interface NodeTransport {
  /// Sends a frame. Returns at once. Frames may be lost; two to one member are never reordered.
  ///
  /// @param allArrived whether the member has all that it was sent before
  void send(Member to, Frame frame, boolean allArrived);
}
