package im.zonda.cluster.replica;

import im.zonda.cluster.frame.StanzaBytes;
import im.zonda.jid.Jid;

/// A part of the state of a home, which moves to another node with the home.
///
/// @param home the address of the home
/// @param key which part of its state
/// @param state in its binary form
public record HomePart(Jid home, String key, StanzaBytes state) {}
