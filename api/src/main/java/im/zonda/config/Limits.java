package im.zonda.config;

import im.zonda.xml.XmlLimits;
import java.time.Duration;

/// Every bound of the server in one place.
///
/// @param beforeAuthentication XML limits of a stream that has not authenticated
/// @param client XML limits of an authenticated client's stream
/// @param negotiationTime from accept to bound; a stream that takes longer is closed
/// @param unauthenticatedBytes bytes read before authentication, whitespace included
/// @param connectionsPerAddress open connections of one address (IPv6: of one /64); 0 is no limit
/// @param sessionsPerAccount bound sessions of one account
/// @param rosterItems contacts in one roster
/// @param rosterGroups groups of one contact
/// @param outboundBytes bytes that wait for one session to read; past it the session is closed
/// @param mailboxTasks tasks that wait at one home before senders are no longer read from
/// @param homes homes without a session that are kept loaded
/// @param logQueueBytes bytes of messages that wait for the message log's commit
/// @param offlineMessages messages that wait for one account; further ones are refused
/// @param idleTime silence after which a client is pinged
/// @param pingTime silence after a ping before the stream is closed
/// @param vcardBytes bytes of one vCard
/// @param privateBytes bytes of private XML data of one account
/// @param directedPresences addresses that one session may send directed presence to
/// @param saslFailures failed attempts on one stream before it is closed
public record Limits(
    XmlLimits beforeAuthentication,
    XmlLimits client,
    Duration negotiationTime,
    int unauthenticatedBytes,
    int connectionsPerAddress,
    int sessionsPerAccount,
    int rosterItems,
    int rosterGroups,
    int outboundBytes,
    int mailboxTasks,
    int homes,
    long logQueueBytes,
    int offlineMessages,
    Duration idleTime,
    Duration pingTime,
    int vcardBytes,
    int privateBytes,
    int directedPresences,
    int saslFailures) {
  /// The limits when nothing is configured.
  public static Limits defaults() {
    return new Limits(
        XmlLimits.BEFORE_AUTHENTICATION,
        XmlLimits.CLIENT,
        Duration.ofSeconds(30),
        16_384,
        0,
        20,
        1_000,
        20,
        4_194_304,
        1_024,
        10_000,
        67_108_864,
        10_000,
        Duration.ofMinutes(5),
        Duration.ofSeconds(60),
        131_072,
        1_048_576,
        1_000,
        3);
  }
}
