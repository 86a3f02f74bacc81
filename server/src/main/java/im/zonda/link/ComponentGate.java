package im.zonda.link;

import im.zonda.stanza.Stanza;

/// Where the streams of components report what concerns the homes of their domains.
///
/// A [ComponentLink] calls these methods on its stream's thread: with [Event.Opened] first, with
/// [Event.OutputEnded] last. They return at once, and may call the link.
public interface ComponentGate {
  /// The component has sent a stanza, which has a `to` and a `from` at the component's domain.
  void received(ComponentLink link, Stanza stanza);

  /// Something has happened to the stream.
  void report(ComponentLink link, Event event);

  /// An event of a stream.
  sealed interface Event {
    /// The component has authenticated: it can be sent stanzas.
    record Opened() implements Event {}

    /// The bytes of the stanzas up to that number have left.
    record Written(long number) implements Event {}

    /// The stream has ended: it sends no more stanzas. Those that it was given before may still
    /// leave.
    record Ended() implements Event {}

    /// After [Ended]: what has not been reported by [Written] has not left.
    record OutputEnded() implements Event {}
  }
}
