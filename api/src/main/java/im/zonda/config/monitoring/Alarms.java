package im.zonda.config.monitoring;

import im.zonda.config.annotation.Setting;
import im.zonda.config.annotation.Setting.Form;
import java.time.Duration;

/// Thresholds of alarms. There is always one while the database does not store.
///
/// @param diskPercent 0 for none
/// @param heapPercent 0 for none
/// @param certificate zero for none
/// @param logQueueBytes 0 for none
/// @param s2sQueueBytes 0 for none
/// @param pause zero for none
/// @param clock zero for none
/// @param nodeGone zero for none
/// @param nodeDelay zero for none
public record Alarms(
    @Setting(
            value =
                "percent of the disk of the data folder: if less is free, there is an alarm; 0 for"
                    + " none",
            max = 100)
        int diskPercent,
    @Setting(
            value = "percent of the heap: more than that during a minute is an alarm; 0 for none",
            max = 100)
        int heapPercent,
    @Setting(
            value =
                "time before the end of a certificate from which there is an alarm; `0ms` for none",
            max = 365 * 86_400_000L)
        Duration certificate,
    @Setting(
            value = "what may wait to be stored before there is an alarm; 0 for none",
            form = Form.BYTES)
        int logQueueBytes,
    @Setting(
            value = "what may wait for other servers before there is an alarm; 0 for none",
            form = Form.BYTES)
        int s2sQueueBytes,
    @Setting(
            value = "pause of the garbage collector from which there is an alarm; `0ms` for none",
            max = 3_600_000)
        Duration pause,
    @Setting(
            value =
                "how far the clock of this machine may jump, or differ from that of the database,"
                    + " before there is an alarm; `0ms` for none",
            max = 86_400_000L)
        Duration clock,
    @Setting(
            value =
                "time that a node of the cluster may be gone, this one cut off, or a part of the"
                    + " cluster without a copy, before there is an alarm; `0ms` for none",
            max = 86_400_000L)
        Duration nodeGone,
    @Setting(
            value =
                "time that another node may take to answer on the way of stanzas and copies, before"
                    + " there is an alarm; `0ms` for none",
            max = 3_600_000)
        Duration nodeDelay) {
  /// The defaults.
  public static final Alarms DEFAULTS =
      new Alarms(
          5,
          95,
          Duration.ofDays(14),
          32 << 20,
          32 << 20,
          Duration.ofSeconds(2),
          Duration.ofSeconds(2),
          Duration.ofMinutes(1),
          Duration.ofSeconds(5));
}
