package im.zonda.home.lifecycle;

import im.zonda.config.limits.Limits;
import im.zonda.runtime.ServerRuntime;
import im.zonda.store.ClusterLog;
import im.zonda.store.MessageLog;
import im.zonda.store.StanzaIds;

/// The settings and parts of the server that all sessions use.
///
/// @param limits the bounds
/// @param messages the message log
/// @param clusterLog the same as the nodes of a cluster share it
/// @param stanzaIds the ids of log entries as clients see them
/// @param copiesAttached whether sessions whose stream is in this process are copied to other nodes
public record SessionContext(
    Limits limits,
    MessageLog messages,
    ClusterLog clusterLog,
    ServerRuntime runtime,
    StanzaIds stanzaIds,
    boolean copiesAttached) {}
