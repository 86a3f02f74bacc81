package im.zonda.testkit.client;

import im.zonda.testkit.xml.XmlElement;

/// Event of a server's stream.
public sealed interface StreamEvent {
  /// The server's stream header.
  record Opened(XmlElement header) implements StreamEvent {}

  /// A first-level element.
  record Received(XmlElement element) implements StreamEvent {}

  /// The closing tag of the server's stream.
  record Closed() implements StreamEvent {}

  /// The connection has ended, or the input is not XML.
  ///
  /// @param reason a human-readable reason
  record Gone(String reason) implements StreamEvent {}
}
