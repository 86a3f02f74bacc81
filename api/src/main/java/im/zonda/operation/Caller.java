package im.zonda.operation;

import org.jspecify.annotations.Nullable;

/// Requester of an operation.
///
/// @param name the name in the audit: an address, the name of a token, or of the operating system's
///   user
/// @param via by which way
/// @param from the network address, or null
/// @param grant what the caller may do
public record Caller(String name, Via via, @Nullable String from, Grant grant) {
  /// The ways to ask for an operation.
  public enum Via {
    /// The control socket of the server, by the operating system's user that runs it.
    SOCKET,
    /// HTTP, with a token.
    API,
    /// An ad-hoc command (XEP-0050).
    ADHOC,
    /// The console.
    CONSOLE,
    /// The server itself, by a schedule.
    SCHEDULE
  }

  /// The operating system's user that runs the server.
  public static Caller owner(String user) {
    return new Caller(user, Via.SOCKET, null, Grant.ALL);
  }
}
