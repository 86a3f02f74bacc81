package im.zonda.cluster.membership;

import im.zonda.cluster.frame.Frame;
import im.zonda.cluster.placement.Placement;
import java.util.List;

/// Receives what a [Membership] decides. All methods but [#received] are called by the membership's
/// thread, one at a time, and should return soon.
public interface MembershipListener {
  /// The placement is legal. Placements of one incarnation come in the order of their stamps.
  void installed(Placement placement);

  /// The row has just been read, and this process is a member in it. Some times a minute at least,
  /// while the database answers.
  default void confirmed() {}

  /// Whether clients are not to be read from, because members are lost and nothing is decided.
  void suspended(boolean suspended);

  /// The process was evicted. All state of sessions is outdated: discard it and close the
  /// connections. The process rejoins as a new incarnation after this method has returned.
  void evicted();

  /// This process is no longer a member, as it has asked for.
  void left();

  /// A frame of another process; those of one sender come in order. Called by threads of the
  /// engine, which must not be blocked.
  void received(List<Frame> frames);
}
