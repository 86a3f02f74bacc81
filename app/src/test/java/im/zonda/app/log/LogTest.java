package im.zonda.app.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import im.zonda.config.ServerConfig;
import im.zonda.config.ServerConfig.LogFormat;
import im.zonda.config.ServerConfig.LogLevel;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.Logger;
import org.slf4j.event.KeyValuePair;

@Timeout(value = 30, unit = TimeUnit.SECONDS)
class LogTest {
  private final InstantSource fixed = InstantSource.fixed(InstantSource.system().instant());

  private final LoggerContext context = new LoggerContext();
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();

  @Test
  void aLineHasTimeLevelEventAndFields() {
    Logger log = log(LogFormat.TEXT, "im.zonda.Some");
    log.atInfo()
        .addKeyValue("jid", "a@b/c")
        .addKeyValue("none", (Object) null)
        .addKeyValue("note", "two words")
        .log("it_happened");
    assertThat(lines())
        .matches(
            "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z INFO  it_happened jid=a@b/c"
                + " note=\"two words\"\n");
  }

  @Test
  void row97_whatAPeerChoseCannotForgeALine() {
    Logger log = log(LogFormat.TEXT, "im.zonda.Some");
    log.atWarn()
        .addKeyValue("resource", "x\r\n2026 INFO forged\u001b[31m\u202e\u2028\u0085\"=")
        .log("bind\nrefused");
    assertThat(lines())
        .hasLineCount(1)
        .contains("bind\\nrefused resource=\"x\\r\\n2026 INFO forged")
        .contains("\\u001b[31m\\u202e\\u2028\\u0085\\\"=\"")
        .matches("(?s)[^\\p{Cntrl}\\u202e\\u2028]+\n");
  }

  @Test
  void aCauseIsWrittenWithItsFramesAndItsMessageCannotForgeALine() {
    Logger log = log(LogFormat.TEXT, "im.zonda.Some");
    Exception cause = new IOException("inner\nline");
    log.atError().setCause(new IllegalStateException("outer", cause)).log("failed");
    assertThat(lines())
        .contains("    java.lang.IllegalStateException: outer\n      at im.zonda.app.log.LogTest")
        .contains("    caused by java.io.IOException: inner\\nline\n");
  }

  @Test
  void jsonIsOneFlatObjectPerLine() {
    Logger log = log(LogFormat.JSON, "im.zonda.Some", written, fixed);
    log.atInfo()
        .addKeyValue("jid", "a@b\n\u202e\"")
        .addKeyValue("none", (Object) null)
        .addKeyValue("bytes", 7)
        .addKeyValue("rate", Double.NaN)
        .addKeyValue("open", true)
        .addKeyValue("kind", LogFormat.JSON)
        .addKeyValue("time", "noon")
        .log("it_happened");
    assertThat(lines())
        .matches(
            "\\{\"time\":\"\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z\",\"level\":\"INFO\","
                + "\"logger\":\"im.zonda.Some\",\"message\":\"it_happened\","
                + "\"jid\":\"a@b\\\\u000a\\\\u202e\\\\\"\",\"bytes\":7,\"rate\":\"NaN\",\"open\":true,"
                + "\"kind\":\"JSON\",\"time_\":\"noon\"}\n");
  }

  @Test
  void anErrorIsOneStringInJson() {
    Logger log = log(LogFormat.JSON, "im.zonda.Some");
    Exception cause = new IOException("inner");
    log.atError().setCause(new IllegalStateException("outer", cause)).log("failed");
    assertThat(lines())
        .hasLineCount(1)
        .contains(
            "\"error\":\"java.lang.IllegalStateException: outer\\u000a  at im.zonda.app.log.LogTest.")
        .contains("\\u000acaused by java.io.IOException: inner\\u000a  at ")
        .endsWith("\"}\n");
  }

  @Test
  void librariesAreQuietBelowWarnings() {
    Logger log = log(LogFormat.TEXT, "io.netty.Some");
    log.info("nothing");
    log.warn("something");
    assertThat(lines()).hasLineCount(1).endsWith("WARN  something logger=io.netty.Some\n");
  }

  /// A terminal that does not read.
  private final class StalledTarget extends OutputStream {
    private final CountDownLatch blocked = new CountDownLatch(1);
    private final CountDownLatch release = new CountDownLatch(1);

    @Override
    public void write(int one) {
      written.write(one);
    }

    @Override
    public void write(byte[] bytes) throws IOException {
      blocked.countDown();
      try {
        release.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
      written.write(bytes);
    }
  }

  @Test
  void aTargetThatStandsStillStopsNobodyAndWhatIsLostIsCounted() throws Exception {
    StalledTarget target = new StalledTarget();
    LogSetup.apply(context, new ServerConfig.Log(LogLevel.INFO, LogFormat.TEXT), target);
    Logger log = context.getLogger("im.zonda.Some");
    log.info("first");
    target.blocked.await();
    for (int i = 0; i < 10_000; i++) {
      log.info("event");
    }
    target.release.countDown();
    assertThat(lines()).contains("first\n").containsPattern("log_events_dropped count=59\\d\\d\n");
  }

  @ParameterizedTest
  @EnumSource
  void aTargetThatFailsForAWhileGetsWhatComesLaterAndTheCountOfWhatIsLost(LogFormat format)
      throws Exception {
    CountDownLatch failed = new CountDownLatch(1);
    OutputStream target =
        new OutputStream() {
          @Override
          public void write(int one) {
            written.write(one);
          }

          @Override
          public void write(byte[] bytes) throws IOException {
            if (failed.getCount() > 0) {
              failed.countDown();
              throw new IOException("No space left on device");
            }
            written.write(bytes);
          }
        };
    Logger log = log(format, "im.zonda.Some", target, InstantSource.system());
    log.info("lost");
    failed.await();
    log.info("kept");
    assertThat(lines())
        .contains("kept")
        .contains(
            switch (format) {
              case TEXT -> "WARN  log_events_dropped count=1\n";
              case JSON -> "\"message\":\"log_events_dropped\",\"count\":1}";
            });
  }

  /// A queue of 4,096 events would otherwise hold a gigabyte.
  @ParameterizedTest
  @EnumSource
  void whatAPeerChoseIsCut(LogFormat format) {
    String large = "x".repeat(262_144);
    Exception cause = new IOException(large, new IOException(large));
    Logger log = log(format, "im.zonda.Some");
    log.atWarn().addKeyValue("from", large).addKeyValue("to", large).setCause(cause).log("bad");
    assertThat(lines())
        .contains("x".repeat(2_000) + "…")
        .contains("IOException")
        .hasSizeLessThan(50_000);
  }

  @Test
  void whatWaitsIsBoundedInBytes() throws Exception {
    StalledTarget target = new StalledTarget();
    LogSetup.apply(context, new ServerConfig.Log(LogLevel.INFO, LogFormat.TEXT), target);
    Logger log = context.getLogger("im.zonda.Some");
    log.info("first");
    target.blocked.await();
    for (int i = 0; i < 4_000; i++) {
      log.atInfo().addKeyValue("a", "x".repeat(2_000)).addKeyValue("b", "x".repeat(2_000)).log("e");
    }
    target.release.countDown();
    assertThat(lines())
        .containsPattern("log_events_dropped count=19\\d\\d\n")
        .hasSizeLessThan((int) NonBlockingAppender.QUEUE_BYTES + 1_000);
  }

  /// What one peer causes at will, and what others cause meanwhile.
  @Test
  void row97_aPeerThatCausesTheSameEventAgainAndAgainIsCounted() {
    Logger log = log(LogFormat.TEXT, "im.zonda.Some", written, fixed);
    for (int i = 0; i < 1_000; i++) {
      log.atInfo().addKeyValue("address", "198.51.100.7").addKeyValue("text", i).log("stanza_bad");
    }
    log.atInfo().addKeyValue("address", "192.0.2.1").log("stanza_bad");
    log.atInfo().addKeyValue("address", "198.51.100.7").log("other_event");
    log.info("without a peer");
    assertThat(lines())
        .hasLineCount(24)
        .contains("text=19\n")
        .contains("stanza_bad address=192.0.2.1\n", "other_event", "without a peer")
        .contains("log_events_suppressed event=stanza_bad peer=198.51.100.7 count=980\n");
  }

  @Test
  void whatIsCountedIsJsonToo() {
    Logger log = log(LogFormat.JSON, "im.zonda.Some", written, fixed);
    for (int i = 0; i < EventLimit.BURST + 3; i++) {
      log.atInfo().addKeyValue("address", "198.51.100.7").log("stanza_bad");
    }
    String[] lines = lines().split("\n", -1);
    assertThat(lines).hasSize(EventLimit.BURST + 2).endsWith("");
    assertThat(lines[EventLimit.BURST])
        .startsWith("{")
        .endsWith("}")
        .contains("\"message\":\"log_events_suppressed\"")
        .contains("\"event\":\"stanza_bad\"", "\"peer\":\"198.51.100.7\"", "\"count\":3");
  }

  /// Otherwise a peer would have no line until the clock is again where it was.
  @Test
  void aClockThatIsSetBackLocksOutNoPeer() {
    EventLimit limit = new EventLimit(0);
    long now = 1_000_000_000;
    for (int i = 0; i <= EventLimit.BURST; i++) {
      limit.admits(event("a", now));
    }
    long earlier = now - 3_600_000;
    assertThat(limit.admits(event("a", earlier))).isFalse();
    assertThat(limit.admits(event("a", earlier + EventLimit.INTERVAL))).isTrue();
  }

  @Test
  void aPeerMayWriteALineAgainLater() {
    EventLimit limit = new EventLimit(0);
    long now = 1_000_000;
    for (int i = 0; i < 1_000; i++) {
      assertThat(limit.admits(event("a", now))).isEqualTo(i < EventLimit.BURST);
    }
    assertThat(limit.takeSuppressed(now, false))
        .singleElement()
        .extracting("count")
        .isEqualTo(980L);
    assertThat(limit.admits(event("a", now + EventLimit.INTERVAL))).isTrue();
    assertThat(limit.admits(event("a", now + EventLimit.INTERVAL))).isFalse();
    long later = now + (EventLimit.BURST + 2) * EventLimit.INTERVAL;
    for (int i = 0; i < EventLimit.BURST; i++) {
      assertThat(limit.admits(event("a", later))).isTrue();
    }
  }

  @Test
  void peersWithoutNumberShareOneCount() {
    EventLimit limit = new EventLimit(0);
    int admitted = 0;
    for (int i = 0; i < 2 * EventLimit.MOST; i++) {
      admitted += limit.admits(event("d" + i + ".example", 1_000_000)) ? 1 : 0;
    }
    assertThat(admitted).isEqualTo(EventLimit.MOST + EventLimit.BURST);
    assertThat(limit.takeSuppressed(2_000_000, false))
        .singleElement()
        .extracting("peer")
        .isEqualTo("others");
  }

  private static LoggingEvent event(String domain, long now) {
    LoggingEvent event = new LoggingEvent();
    event.setLevel(Level.INFO);
    event.setMessage("it_happened");
    event.setTimeStamp(now);
    event.addKeyValuePair(new KeyValuePair("domain", domain));
    return event;
  }

  private Logger log(LogFormat format, String name) {
    return log(format, name, written, InstantSource.system());
  }

  private Logger log(LogFormat format, String name, OutputStream target, InstantSource clock) {
    context.setMDCAdapter(new LogbackMDCAdapter()); // the one of the process has one
    LogSetup.apply(context, new ServerConfig.Log(LogLevel.INFO, format), target, clock);
    return context.getLogger(name);
  }

  private String lines() {
    context.stop(); // writes what waits
    return written.toString(StandardCharsets.UTF_8);
  }
}
