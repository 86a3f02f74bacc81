package im.zonda.stream.server;

import im.zonda.config.limits.Limits;
import im.zonda.config.limits.S2sLimits;
import im.zonda.runtime.ServerRuntime;
import im.zonda.xml.XmlLimits;

/// The settings of all streams with other servers.
///
/// @param limits how much and how long peers may send; streams with other servers have the times of
///   client streams
/// @param resumption how long and how many interrupted streams can be resumed
/// @param stanzas limits of stanzas of servers that have proved their domain
/// @param keys dialback keys
/// @param runtime its clock decides whether certificates are valid
public record ServerStreamSettings(
    Limits limits,
    S2sLimits resumption,
    XmlLimits stanzas,
    DialbackKeys keys,
    ServerRuntime runtime) {}
