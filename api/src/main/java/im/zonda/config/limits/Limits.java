package im.zonda.config.limits;

import im.zonda.config.annotation.Setting;
import im.zonda.config.annotation.Setting.Form;
import im.zonda.config.copy.RecordCopy;
import im.zonda.xml.XmlLimits;
import java.time.Duration;

/// All limits of the server. The annotation of each component documents it.
public record Limits(
    @Setting("XML limits before authentication") XmlLimits beforeAuthentication,
    @Setting("XML limits of authenticated clients") XmlLimits client,
    @Setting(
            value =
                "maximum time from the connection to the bound resource; a stream that"
                    + " takes longer is closed",
            min = 1_000,
            max = 600_000)
        Duration negotiationTime,
    @Setting(
            value = "maximum number of bytes read before authentication, whitespace" + " included",
            form = Form.BYTES,
            min = 4_096)
        int unauthenticatedBytes,
    @Setting(
            "maximum number of open connections of one IP address (IPv6: of one"
                + " /64); 0 is no limit")
        int connectionsPerAddress,
    @Setting("new connections") ConnectionLimits connections,
    @Setting("protection against password guessing") LoginLimits login,
    @Setting(value = "maximum number of sessions of one account", min = 1) int sessionsPerAccount,
    @Setting(
            value =
                "maximum number of detached sessions of one account (XEP-0198); above"
                    + " it the oldest ends",
            min = 1)
        int detachedSessionsPerAccount,
    @Setting(value = "maximum number of contacts in one roster", min = 1) int rosterItems,
    @Setting(value = "maximum number of groups of one contact", min = 1) int rosterGroups,
    @Setting(
            value = "maximum size of one roster: addresses, names and groups",
            form = Form.BYTES,
            min = 4_096)
        int rosterBytes,
    @Setting(
            value =
                "maximum number of bytes queued for one connection, not counting the largest"
                    + " stanza, at least twice client.max-bytes; above it the connection is closed",
            form = Form.BYTES,
            min = 65_536)
        int outboundBytes,
    @Setting(
            value =
                "maximum number of bytes queued for all connections; above it the"
                    + " connections with the longest queues are closed; at most an eighth of"
                    + " the heap and of the direct memory",
            form = Form.BYTES,
            min = 1_048_576,
            max = 1L << 40)
        long allOutboundBytes,
    @Setting(
            value =
                "maximum number of bytes of incomplete stanzas of all connections;"
                    + " above it connections of the account, or the address, with the most are"
                    + " closed; at most a sixteenth of the heap",
            form = Form.BYTES,
            min = 1_048_576,
            max = 1L << 40)
        long inboundBytes,
    @Setting(
            value =
                "maximum number of bytes of presence, and of addresses with directed"
                    + " presence, of all sessions, not counting the first 4,096 bytes of each"
                    + " session; one account may use a quarter of what is free; at most a"
                    + " sixteenth of the heap",
            form = Form.BYTES,
            min = 1_048_576,
            max = 1L << 40)
        long presenceBytes,
    @Setting(
            value = "time for which a detached session can be resumed (XEP-0198)",
            min = 1_000,
            max = 86_400_000)
        Duration resumeTime,
    @Setting(
            value =
                "maximum number of stanzas that one client has not acknowledged; above"
                    + " it the session ends",
            min = 16)
        int unacknowledgedStanzas,
    @Setting(
            value =
                "maximum number of bytes that one client has not acknowledged, not counting the"
                    + " largest stanza, at most outbound-bytes; above it the session ends",
            form = Form.BYTES,
            min = 65_536)
        int unacknowledgedBytes,
    @Setting(
            value =
                "maximum number of bytes that all clients have not acknowledged, at"
                    + " most an eighth of the heap; above it sessions of the accounts that use"
                    + " most of it end",
            form = Form.BYTES,
            min = 1_048_576,
            max = 1L << 40)
        long allUnacknowledgedBytes,
    @Setting(
            value =
                "maximum number of tasks queued for one account or room; above it the"
                    + " server stops reading from their senders",
            min = 16)
        int mailboxTasks,
    @Setting(
            value = "maximum number of accounts without a session that are kept in memory",
            min = 1)
        int homes,
    @Setting(
            value =
                "maximum number of IQ requests of other servers and components that are answered"
                    + " at a time; above it, domains with several of them get an error",
            min = 8)
        int domainRequests,
    @Setting(
            value =
                "maximum number of bytes of messages that wait for a commit of the"
                    + " message log, also while the database does not work; at most an eighth"
                    + " of the heap",
            form = Form.BYTES,
            min = 1_048_576,
            max = 1L << 40)
        long logQueueBytes,
    @Setting(
            value =
                "maximum number of bytes of accounts, rosters, rooms and other stored data that"
                    + " are kept in memory after they were read; at most a thirty-second of the"
                    + " heap",
            form = Form.BYTES,
            min = 65_536,
            max = 1L << 40)
        long cacheBytes,
    @Setting("maximum number of offline messages of one account; further ones are" + " rejected")
        int offlineMessages,
    @Setting(
            value = "maximum size of the discussion history that one room keeps in memory",
            form = Form.BYTES,
            min = 1_024)
        int roomHistoryBytes,
    @Setting(
            value =
                "maximum size of the discussion history that all rooms keep in memory,"
                    + " in equal parts for each host; above it the oldest messages of the"
                    + " author with the most bytes are removed; at most a sixteenth of the"
                    + " heap",
            form = Form.BYTES,
            min = 1_048_576,
            max = 1L << 40)
        long allRoomHistoryBytes,
    @Setting(
            value =
                "maximum number of bytes of configurations, subjects, affiliations,"
                    + " hats and presences of all rooms, in equal parts for each host;"
                    + " requests of an account that uses too much of it are rejected; at most"
                    + " an eighth of the heap",
            form = Form.BYTES,
            min = 1_048_576,
            max = 1L << 40)
        long allRoomStateBytes,
    @Setting(
            value = "idle time after which the server pings a client",
            min = 1_000,
            max = 86_400_000)
        Duration idleTime,
    @Setting(
            value = "time without an answer to a ping after which the stream is closed",
            min = 1_000,
            max = 86_400_000)
        Duration pingTime,
    @Setting(value = "maximum size of one vCard", form = Form.BYTES, min = 1_024) int vcardBytes,
    @Setting(
            value = "maximum size of the private XML data of one account",
            form = Form.BYTES,
            min = 1_024)
        int privateBytes,
    @Setting("maximum number of addresses that one session sends directed presence" + " to")
        int directedPresences,
    @Setting("maximum number of addresses that one account blocks") int blockedAddresses,
    @Setting(value = "maximum size of one block list", form = Form.BYTES, min = 4_096)
        int blockedBytes,
    @Setting("maximum number of registrations for push notifications of one account (XEP-0357)")
        int pushServices,
    @Setting(
            value =
                "maximum size of one registration for push notifications: its address, node and"
                    + " form",
            form = Form.BYTES,
            min = 1_024)
        int pushBytes,
    @Setting(
            value =
                "maximum number of push notifications that one registration gets in a minute; what"
                    + " comes more often is announced together",
            min = 1,
            max = 6_000)
        int pushRate,
    @Setting("maximum number of invitations of one account that are not used (XEP-0401)")
        int invitations,
    @Setting(
            value = "failed authentication attempts on one stream before it is closed",
            min = 1,
            max = 100)
        int saslFailures,
    @Setting(
            value =
                "time for which a client can log in with its token and stays in the"
                    + " list of clients (XEP-0484, XEP-0494)",
            min = 60_000,
            max = 31_622_400_000L)
        Duration tokenTime,
    @Setting(
            value = "maximum number of clients of one account that are kept with their" + " tokens",
            min = 1)
        int clients,
    @Setting("publish-subscribe") PubSubLimits pubsub,
    @Setting("stanzas to several addresses") AddressingLimits addressing,
    @Setting("SOCKS5 bytestreams proxy (XEP-0065)") ProxyLimits proxy,
    @Setting("HTTP") HttpLimits http) {

  /// The default limits.
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
        256,
        134_217_728,
        268_435_456,
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
        10,
        4_096,
        20,
        100,
        3,
        Duration.ofDays(30),
        32,
        PubSubLimits.DEFAULTS,
        AddressingLimits.DEFAULTS,
        ProxyLimits.DEFAULTS,
        HttpLimits.DEFAULTS);
  }

  /// The limits that a host may have of its own.
  public HostLimits ofHost() {
    return new HostLimits(
        sessionsPerAccount,
        detachedSessionsPerAccount,
        rosterItems,
        rosterGroups,
        rosterBytes,
        offlineMessages,
        vcardBytes,
        privateBytes,
        directedPresences,
        blockedAddresses,
        blockedBytes,
        pushServices,
        pushBytes,
        pushRate,
        invitations,
        pubsub,
        addressing);
  }

  /// A copy with these limits of a host.
  public Limits withHost(HostLimits own) {
    return RecordCopy.withAll(this, own);
  }

  /// Limits of stanzas to several addresses (XEP-0033).
  public record AddressingLimits(
      @Setting(value = "maximum number of addresses of one stanza", min = 1, max = 1_000)
          int addresses,
      @Setting(
              "maximum number of copies that the stanzas of one account to several addresses make in"
                  + " ten seconds, each as many as it has parts of 4 KiB; further stanzas are rejected; 0"
                  + " is no limit")
          int copies) {
    /// The default limits.
    public static final AddressingLimits DEFAULTS = new AddressingLimits(50, 500);
  }

  /// Limits of the SOCKS5 bytestreams proxy (XEP-0065).
  public record ProxyLimits(
      @Setting(
              value =
                  "maximum number of open connections; above it the oldest that is not activated"
                      + " of the IP address with most of these is closed",
              min = 2,
              max = 100_000)
          int connections,
      @Setting(
              value =
                  "maximum number of connections of one IP address (IPv6: of one /64) that are not"
                      + " activated; further ones are closed",
              min = 2,
              max = 10_000)
          int waitingPerAddress,
      @Setting(value = "time in which a connection must be activated", min = 1_000, max = 3_600_000)
          Duration waitingTime,
      @Setting(
              value = "time without a byte after which a stream is closed",
              min = 1_000,
              max = 86_400_000)
          Duration idleTime,
      @Setting(
              value =
                  "maximum number of streams that one account has activated; further activations"
                      + " are rejected",
              min = 1,
              max = 10_000)
          int streamsPerAccount,
      @Setting(
              value = "maximum number of bytes of one stream in a second; 0 is no limit",
              form = Form.BYTES)
          int streamRate,
      @Setting(
              value = "maximum number of bytes of all streams in a second; 0 is no limit",
              form = Form.BYTES)
          int rate) {
    /// The default limits.
    public static final ProxyLimits DEFAULTS =
        new ProxyLimits(
            1_000, 16, Duration.ofMinutes(1), Duration.ofMinutes(5), 8, 4_194_304, 33_554_432);
  }
}
