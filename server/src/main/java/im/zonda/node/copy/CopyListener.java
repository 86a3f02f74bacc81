package im.zonda.node.copy;

/// Learns what has become of parts of the state of a home that another node is to have
/// ([Replication#copy]). Called once at most, on any thread; must not block. Never called if the
/// home leaves this node first.
@FunctionalInterface
public interface CopyListener {
  /// The standby has the parts as they were given, or as they are now.
  ///
  /// @param kept false if it has not: there is no standby, or a part is too large or there is no
  ///   room for it. Then no standby has an older state of that part either
  void confirmed(boolean kept);
}
