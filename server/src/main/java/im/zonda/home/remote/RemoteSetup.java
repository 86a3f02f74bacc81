package im.zonda.home.remote;

import im.zonda.config.S2s;
import im.zonda.home.AckOnCommit;
import im.zonda.route.Routes;
import im.zonda.runtime.ServerRuntime;
import im.zonda.store.ClusterLog;
import im.zonda.store.MessageLog;
import im.zonda.store.RemoteQueueStore;
import java.util.function.Supplier;

/// The parts of the server that the homes of remote domains use.
///
/// @param settings the settings at present; they change when the configuration is reloaded
/// @param runtime its randomness spreads retries
/// @param window the most unacknowledged bytes on one stream; far less than the limit that ends a
///   connection, because bytes are counted approximately
public record RemoteSetup(
    Supplier<S2s> settings,
    Routes routes,
    MessageLog log,
    ClusterLog clusterLog,
    RemoteQueueStore queues,
    AckOnCommit ackOnCommit,
    ServerRuntime runtime,
    int window) {}
