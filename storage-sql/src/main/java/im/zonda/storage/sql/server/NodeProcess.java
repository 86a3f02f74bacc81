package im.zonda.storage.sql.server;

/// A process of a node, as it opens the database of its cluster.
///
/// @param name the configured name of the node
/// @param secret the secret of the node, in hexadecimal digits; the cluster gets it if it has none
/// @param keepsSecret whether the node has that secret already, so that it cannot take over another
///   one
public record NodeProcess(String name, String secret, boolean keepsSecret) {
  /// The name; secrets are not logged.
  @Override
  public String toString() {
    return name;
  }
}
