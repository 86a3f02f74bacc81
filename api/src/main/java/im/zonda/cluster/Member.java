package im.zonda.cluster;

/// One run of a node's process.
///
/// @param name the configured name of the node
/// @param incarnation grows with each start of the node, and whenever a running node has to forget
///   its state because the cluster has gone on without it
public record Member(String name, long incarnation) {
  @Override
  public String toString() {
    return name + "." + incarnation;
  }
}
