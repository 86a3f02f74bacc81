package im.zonda.cluster.node;

import im.zonda.cluster.frame.RoutedStanza;

/// A stanza that a process had taken responsibility for when the cluster went on without it.
public record Replay(String owner, RoutedStanza stanza) {}
