package im.zonda.cluster;

/// One run of a node's process.
///
/// @param name the configured name of the node
/// @param incarnation incremented by each start of the node, and when a running node rejoins after
///   it was evicted
public record Member(String name, long incarnation) {
  @Override
  public String toString() {
    return name + "." + incarnation;
  }
}
