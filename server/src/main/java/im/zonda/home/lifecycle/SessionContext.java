package im.zonda.home.lifecycle;

import im.zonda.home.recovery.Recovery;
import im.zonda.home.session.SessionSnapshots;
import im.zonda.runtime.ServerRuntime;
import im.zonda.store.MessageLog;
import im.zonda.store.StanzaIds;

/// The settings and parts of the server that all sessions use.
///
/// @param snapshots takes snapshots of sessions
/// @param messages the message log
/// @param stanzaIds the ids of log entries as clients see them
/// @param recovery what sessions have to do with other nodes
public record SessionContext(
    SessionSnapshots snapshots,
    MessageLog messages,
    ServerRuntime runtime,
    StanzaIds stanzaIds,
    Recovery recovery) {}
