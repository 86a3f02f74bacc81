package im.zonda.home.remote;

import im.zonda.link.DomainPair;
import im.zonda.link.ServerStreamFailure;
import im.zonda.link.ServerStreamLink;
import org.jspecify.annotations.Nullable;

/// The status of a pair of domains, for administrators.
///
/// @param waiting stanzas that wait for a stream
/// @param unacknowledged stanzas that were sent and are not acknowledged
/// @param bytes the size of both
/// @param connecting whether there is an attempt to connect
/// @param retryAt when another attempt is made, in milliseconds since 1970; 0 if none is due
/// @param lastFailure the last failure since a stanza was acknowledged, or null
/// @param stream the stream that carries the pair, or null
public record RemoteLinkStatus(
    DomainPair pair,
    int waiting,
    int unacknowledged,
    long bytes,
    boolean connecting,
    long retryAt,
    @Nullable ServerStreamFailure lastFailure,
    ServerStreamLink.@Nullable Status stream) {}
