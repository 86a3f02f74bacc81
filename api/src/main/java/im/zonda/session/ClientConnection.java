package im.zonda.session;

import org.jspecify.annotations.Nullable;

/// The connection by which a client has bound its session. For administrators only.
///
/// @param address the network address of the client
/// @param tls the version of TLS, such as `TLS 1.3`; null if the connection was not encrypted
public record ClientConnection(String address, @Nullable String tls) {
  /// The connection of a session; nothing for one that a former version has bound.
  public static final SessionKey<ClientConnection> KEY =
      new SessionKey<>(
          "connection", ClientConnection.class, ClientConnection::write, ClientConnection::read);

  private String write() {
    return address + '\n' + (tls == null ? "" : tls);
  }

  private static ClientConnection read(String text) {
    String[] parts = text.split("\n", -1);
    if (parts.length != 2) {
      throw new IllegalArgumentException("not two lines");
    }
    return new ClientConnection(parts[0], parts[1].isEmpty() ? null : parts[1]);
  }
}
