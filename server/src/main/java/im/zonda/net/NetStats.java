package im.zonda.net;

/// The counters of the network since the start.
///
/// @param connectionsOpen connections open now
/// @param connectionsAccepted connections accepted since start
/// @param connectionsRefused connections refused by the limit per address
/// @param bytesIn bytes received, after decryption
/// @param bytesOut bytes sent, before encryption
/// @param stanzasIn stanzas received
/// @param stanzasOut stanzas sent
/// @param flushes writes to connections; stanzas go out together
/// @param overflows connections closed because too much waited for them
/// @param bytesWaiting bytes that wait for clients to read now, after encryption
public record NetStats(
    long connectionsOpen,
    long connectionsAccepted,
    long connectionsRefused,
    long bytesIn,
    long bytesOut,
    long stanzasIn,
    long stanzasOut,
    long flushes,
    long overflows,
    long bytesWaiting) {
  static final NetStats NONE = new NetStats(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

  NetStats plus(NetStats other) {
    return new NetStats(
        connectionsOpen + other.connectionsOpen,
        connectionsAccepted + other.connectionsAccepted,
        connectionsRefused + other.connectionsRefused,
        bytesIn + other.bytesIn,
        bytesOut + other.bytesOut,
        stanzasIn + other.stanzasIn,
        stanzasOut + other.stanzasOut,
        flushes + other.flushes,
        overflows + other.overflows,
        bytesWaiting + other.bytesWaiting);
  }
}
