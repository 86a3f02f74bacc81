package im.zonda.config;

import im.zonda.config.Setting.Form;
import im.zonda.xml.XmlLimits;
import java.time.Duration;

/// Every bound of the server in one place. What a component means is said once, in its annotation.
public record Limits(
    @Setting("XML limits of a stream that has not authenticated") XmlLimits beforeAuthentication,
    @Setting("XML limits of an authenticated client's stream") XmlLimits client,
    @Setting(
            value = "from accept to bound; a stream that takes longer is closed",
            min = 1_000,
            max = 600_000)
        Duration negotiationTime,
    @Setting(
            value = "bytes read before authentication, whitespace included",
            form = Form.BYTES,
            min = 4_096)
        int unauthenticatedBytes,
    @Setting("open connections of one address (IPv6: of one /64); 0 is no limit")
        int connectionsPerAddress,
    @Setting("connections that are accepted") ConnectionLimits connections,
    @Setting("guessing of passwords") LoginLimits login,
    @Setting(value = "bound sessions of one account", min = 1) int sessionsPerAccount,
    @Setting(
            value =
                "sessions of one account without a connection that can be resumed; past it the"
                    + " oldest of them ends",
            min = 1)
        int detachedSessionsPerAccount,
    @Setting(value = "contacts in one roster", min = 1) int rosterItems,
    @Setting(value = "groups of one contact", min = 1) int rosterGroups,
    @Setting(
            value = "bytes of the addresses, names and groups of one roster",
            form = Form.BYTES,
            min = 4_096)
        int rosterBytes,
    @Setting(
            value = "bytes that wait for one session to read; past it the session is closed",
            form = Form.BYTES,
            min = 65_536)
        int outboundBytes,
    @Setting(
            value =
                "bytes that wait for all sessions together to read; past it those that most waits"
                    + " for are closed; at most an eighth of the heap and of the direct memory",
            form = Form.BYTES,
            min = 1_048_576,
            max = 1L << 40)
        long allOutboundBytes,
    @Setting(
            value =
                "bytes of stanzas that have not come to their end, of all connections; past it"
                    + " connections of the account, or the address, with the most are closed; at"
                    + " most a sixteenth of the heap",
            form = Form.BYTES,
            min = 1_048_576,
            max = 1L << 40)
        long inboundBytes,
    @Setting(
            value =
                "bytes of presence and of addresses with directed presence that all sessions"
                    + " together keep, beyond 4,096 bytes of each; an account may use a quarter of"
                    + " what is free; at most a sixteenth of the heap",
            form = Form.BYTES,
            min = 1_048_576,
            max = 1L << 40)
        long presenceBytes,
    @Setting(
            value = "how long a session without a connection can be resumed (XEP-0198)",
            min = 1_000,
            max = 86_400_000)
        Duration resumeTime,
    @Setting(
            value = "stanzas that one client has not acknowledged; past it the session ends",
            min = 16)
        int unacknowledgedStanzas,
    @Setting(
            value = "bytes that one client has not acknowledged; past it the session ends",
            form = Form.BYTES,
            min = 65_536)
        int unacknowledgedBytes,
    @Setting(
            value =
                "bytes that all clients together have not acknowledged, at most an eighth of the"
                    + " heap; past it sessions end of the accounts that use most of it",
            form = Form.BYTES,
            min = 1_048_576,
            max = 1L << 40)
        long allUnacknowledgedBytes,
    @Setting(value = "tasks that wait at one home before senders are no longer read from", min = 16)
        int mailboxTasks,
    @Setting(value = "homes without a session that are kept loaded", min = 1) int homes,
    @Setting(
            value =
                "bytes of messages that wait for the message log's commit, and while the database"
                    + " is away; at most an eighth of the heap",
            form = Form.BYTES,
            min = 1_048_576,
            max = 1L << 40)
        long logQueueBytes,
    @Setting("messages that wait for one account; further ones are refused") int offlineMessages,
    @Setting(
            value = "bytes of messages that one room keeps in memory for those who enter",
            form = Form.BYTES,
            min = 1_024)
        int roomHistoryBytes,
    @Setting(
            value =
                "bytes of messages that all rooms together keep in memory for those who enter, in"
                    + " equal parts for each host; past it the author who has the most loses its"
                    + " oldest; at most a sixteenth of the heap",
            form = Form.BYTES,
            min = 1_048_576,
            max = 1L << 40)
        long allRoomHistoryBytes,
    @Setting(
            value =
                "bytes of configurations, subjects, affiliations, hats and presences that all rooms"
                    + " together keep in memory, in equal parts for each host; an account that uses"
                    + " too much of it is refused; at most an eighth of the heap",
            form = Form.BYTES,
            min = 1_048_576,
            max = 1L << 40)
        long allRoomStateBytes,
    @Setting(value = "silence after which a client is pinged", min = 1_000, max = 86_400_000)
        Duration idleTime,
    @Setting(
            value = "silence after a ping before the stream is closed",
            min = 1_000,
            max = 86_400_000)
        Duration pingTime,
    @Setting(value = "bytes of one vCard", form = Form.BYTES, min = 1_024) int vcardBytes,
    @Setting(value = "bytes of private XML data of one account", form = Form.BYTES, min = 1_024)
        int privateBytes,
    @Setting("addresses that one session may send directed presence to") int directedPresences,
    @Setting("addresses that one account may block") int blockedAddresses,
    @Setting(
            value = "bytes of the addresses that one account may block",
            form = Form.BYTES,
            min = 4_096)
        int blockedBytes,
    @Setting(value = "failed attempts on one stream before it is closed", min = 1, max = 100)
        int saslFailures,
    @Setting(
            value =
                "how long a client may log in by its token and is kept in the list of clients"
                    + " (XEP-0484, XEP-0494)",
            min = 60_000,
            max = 31_622_400_000L)
        Duration tokenTime,
    @Setting(value = "clients of one account that are kept with their tokens", min = 1)
        int clients) {

  /// The limits when nothing is configured.
  public static Limits defaults() {
    return new Limits(
        XmlLimits.BEFORE_AUTHENTICATION,
        XmlLimits.CLIENT,
        Duration.ofSeconds(30),
        16_384,
        0,
        ConnectionLimits.DEFAULTS,
        LoginLimits.DEFAULTS,
        20,
        10,
        1_000,
        20,
        262_144,
        4_194_304,
        268_435_456,
        268_435_456,
        268_435_456,
        Duration.ofMinutes(10),
        5_000,
        3_145_728,
        268_435_456,
        1_024,
        10_000,
        134_217_728,
        10_000,
        2_097_152,
        134_217_728,
        1_073_741_824,
        Duration.ofMinutes(5),
        Duration.ofSeconds(60),
        131_072,
        1_048_576,
        1_000,
        1_000,
        131_072,
        3,
        Duration.ofDays(30),
        32);
  }
}
