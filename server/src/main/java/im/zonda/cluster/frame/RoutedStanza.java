package im.zonda.cluster.frame;

/// A stanza on its way to a home.
///
/// @param stored whether it is stored if its receiver has no session
public record RoutedStanza(StanzaSource origin, boolean stored, StanzaBytes bytes) {}
