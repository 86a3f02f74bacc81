package im.zonda.config.limits;

import im.zonda.config.annotation.Setting;
import im.zonda.config.annotation.Setting.Form;
import java.time.Duration;

/// Limits for streams with other servers.
public record S2sLimits(
    @Setting(
            value =
                "maximum size of the stanzas that wait for one remote domain; above it those of the"
                    + " sender with the most of them are returned as errors",
            form = Form.BYTES,
            min = 65_536,
            max = 1L << 40)
        long queueBytes,
    @Setting(
            value =
                "maximum size of the stanzas that wait for all remote domains; above it those of the"
                    + " sender with the most of them are returned as errors",
            form = Form.BYTES,
            min = 1_048_576,
            max = 1L << 40)
        long allQueueBytes,
    @Setting(
            value =
                "maximum number of pairs of a local and a remote domain with a stream or a queue;"
                    + " above it new ones take the place of those of the account or the other"
                    + " server with the most",
            min = 16,
            max = 10_000_000)
        int links,
    @Setting(
            value =
                "time for which an interrupted stream with another server can be resumed"
                    + " (XEP-0198); 0 is not at all",
            max = 86_400_000)
        Duration resumeTime,
    @Setting(
            value =
                "maximum number of interrupted streams of other servers that can be resumed; above"
                    + " it those from the address with the most of them end",
            min = 16,
            max = 1_000_000)
        int interruptedStreams,
    @Setting("maximum number of connections of other servers from one IP address; 0 is no limit")
        int connectionsPerAddress,
    @Setting("accepting connections of other servers") ConnectionLimits connections) {
  /// The default limits.
  public static final S2sLimits DEFAULTS =
      new S2sLimits(
          16_777_216,
          268_435_456,
          10_000,
          Duration.ofMinutes(5),
          1_000,
          0,
          new ConnectionLimits(20, 500, 1_000));
}
