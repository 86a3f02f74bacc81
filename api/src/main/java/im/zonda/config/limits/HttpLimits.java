package im.zonda.config.limits;

import im.zonda.config.annotation.Setting;
import im.zonda.config.annotation.Setting.Form;
import java.time.Duration;

/// Limits of HTTP.
public record HttpLimits(
    @Setting("maximum number of open connections of one IP address by HTTP; 0 is no limit")
        int connectionsPerAddress,
    @Setting("accepting connections by HTTP, none of which counts as authenticated")
        ConnectionLimits connections,
    @Setting(
            value = "maximum size of the header of one request, and of its first line",
            form = Form.BYTES,
            min = 1_024,
            max = 1_048_576)
        int headerBytes,
    @Setting(value = "maximum number of header fields of one request", min = 16, max = 10_000)
        int headerFields,
    @Setting(
            value = "maximum number of requests at a time on one connection by HTTP/2",
            min = 1,
            max = 1_000)
        int streams,
    @Setting(
            value = "time in which the first request of a connection must have come",
            min = 100,
            max = 600_000)
        Duration requestTime,
    @Setting(
            value = "time in which the next request of a connection must have come",
            min = 100,
            max = 3_600_000)
        Duration idleTime,
    @Setting(
            value =
                "time without progress after which a body that is sent or received is given up; 64"
                    + " KiB must take no longer",
            min = 100,
            max = 600_000)
        Duration bodyTime,
    @Setting("BOSH (XEP-0124)") BoshLimits bosh) {
  /// The default limits.
  public static final HttpLimits DEFAULTS =
      new HttpLimits(
          0,
          new ConnectionLimits(100, 3_000, 10_000),
          16_384,
          100,
          100,
          Duration.ofSeconds(15),
          Duration.ofSeconds(60),
          Duration.ofSeconds(30),
          BoshLimits.DEFAULTS);
}
