package im.zonda.app.load.options;

/// The transport by which clients connect.
public enum Transport {
  /// A TCP connection (RFC 6120).
  TCP,

  /// A WebSocket at `/xmpp-websocket` (RFC 7395).
  WEBSOCKET,

  /// HTTP requests to `/http-bind` (XEP-0124, XEP-0206).
  BOSH
}
