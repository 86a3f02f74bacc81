package im.zonda.testkit.client;

import im.zonda.testkit.xml.XmlElement;

/// What a client hears from the server.
public sealed interface StreamEvent {
  /// The server's stream header.
  record Opened(XmlElement header) implements StreamEvent {}

  /// A first-level element.
  record Received(XmlElement element) implements StreamEvent {}

  /// The closing tag of the server's stream.
  record Closed() implements StreamEvent {}

  /// The connection has ended, or what came is not XML.
  ///
  /// @param reason for people
  record Gone(String reason) implements StreamEvent {}
}
