package im.zonda.config.limits;

/// The limits that one virtual host may have of its own. Each component is documented by the
/// component of the same name of [Limits].
public record HostLimits(
    int sessionsPerAccount,
    int detachedSessionsPerAccount,
    int rosterItems,
    int rosterGroups,
    int rosterBytes,
    int offlineMessages,
    int vcardBytes,
    int privateBytes,
    int directedPresences,
    int blockedAddresses,
    int blockedBytes,
    int pushServices,
    int pushBytes,
    int pushRate,
    int invitations,
    PubSubLimits pubsub,
    Limits.AddressingLimits addressing) {}
