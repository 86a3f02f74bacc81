package im.zonda.node;

import im.zonda.cluster.frame.StanzaBytes;
import im.zonda.jid.Jid;

/// State that moves with a home to another node.
///
/// @param home the address of the home
/// @param state in its binary form
public record MovedState(Jid home, StanzaBytes state) {}
