package im.zonda.link;

import im.zonda.stanza.Stanza;

/// Where the streams of components report what concerns the homes of their domains.
///
/// A [ComponentLink] calls these methods on its stream's thread: [#opened] first, [#outputEnded]
/// last. They return at once, and may call the link.
public interface ComponentGate {
  /// The component has authenticated: it can be sent stanzas.
  void opened(ComponentLink link);

  /// The component has sent a stanza, which has a `to` and a `from` at the component's domain.
  void received(ComponentLink link, Stanza stanza);

  /// The bytes of the stanzas up to that number have left.
  void written(ComponentLink link, long number);

  /// The stream has ended: it sends no more stanzas. Those that it was given before may still
  /// leave.
  void ended(ComponentLink link);

  /// After [#ended]: what has not been reported by [#written] has not left.
  void outputEnded(ComponentLink link);
}
