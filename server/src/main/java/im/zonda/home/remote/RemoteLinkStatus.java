package im.zonda.home.remote;

import im.zonda.link.DomainPair;
import im.zonda.link.ServerStreamFailure;
import im.zonda.link.ServerStreamLink;
import org.jspecify.annotations.Nullable;

/// What is known about a pair of domains, for administrators.
///
/// @param waiting stanzas that wait for a stream
/// @param unacknowledged stanzas that a stream has and that are not acknowledged
/// @param bytes the size of both
/// @param connecting whether an attempt to get a stream is being made
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
