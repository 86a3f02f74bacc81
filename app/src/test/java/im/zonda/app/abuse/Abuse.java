package im.zonda.app.abuse;

/// One way to take more from a server than is fair.
///
/// Whatever the server does to the abuser is right: errors, closed connections, refused ones. What
/// an abuse must not reach is the server's process and the users beside it.
interface Abuse {
  /// Abuses the server. Connections that are still open afterwards stay for a while.
  void run(AbuseRun run) throws Exception;
}
