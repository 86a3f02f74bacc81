package im.zonda.app.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import im.zonda.config.ServerConfig;
import im.zonda.config.ServerConfig.LogFormat;
import im.zonda.config.ServerConfig.LogLevel;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;

@Timeout(value = 30, unit = TimeUnit.SECONDS)
class LogTest {
  private final LoggerContext context = new LoggerContext();
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();

  @Test
  void aLineHasTimeLevelEventAndFields() {
    Logger log = log(LogFormat.TEXT, "im.zonda.Some");
    log.atInfo().addKeyValue("jid", "a@b/c").addKeyValue("note", "two words").log("it_happened");
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
  void jsonIsOneObjectPerLine() {
    Logger log = log(LogFormat.JSON, "im.zonda.Some");
    log.atInfo().addKeyValue("jid", "a@b\n").log("it_happened");
    assertThat(lines())
        .hasLineCount(1)
        .startsWith("{")
        .contains("\"message\":\"it_happened\"")
        .contains("a@b\\n");
  }

  @Test
  void librariesAreQuietBelowWarnings() {
    Logger log = log(LogFormat.TEXT, "io.netty.Some");
    log.info("nothing");
    log.warn("something");
    assertThat(lines()).hasLineCount(1).endsWith("WARN  something logger=io.netty.Some\n");
  }

  @Test
  void aTargetThatStandsStillStopsNobodyAndWhatIsLostIsCounted() throws Exception {
    CountDownLatch blocked = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    OutputStream target =
        new OutputStream() {
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
        };
    LogSetup.apply(context, new ServerConfig.Log(LogLevel.INFO, LogFormat.TEXT), target);
    Logger log = context.getLogger("im.zonda.Some");
    log.info("first");
    blocked.await();
    for (int i = 0; i < 10_000; i++) {
      log.info("event");
    }
    release.countDown();
    assertThat(lines()).contains("first\n").containsPattern("log_events_dropped count=59\\d\\d\n");
  }

  @Test
  void aTargetThatFailsForAWhileGetsWhatComesLaterAndTheCountOfWhatIsLost() throws Exception {
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
    LogSetup.apply(context, new ServerConfig.Log(LogLevel.INFO, LogFormat.TEXT), target);
    Logger log = context.getLogger("im.zonda.Some");
    log.info("lost");
    failed.await();
    log.info("kept");
    assertThat(lines()).contains("log_events_dropped count=1\n").contains("kept\n");
  }

  private Logger log(LogFormat format, String name) {
    context.setMDCAdapter(new LogbackMDCAdapter()); // the one of the process has one
    LogSetup.apply(context, new ServerConfig.Log(LogLevel.INFO, format), written);
    return context.getLogger(name);
  }

  private String lines() {
    context.stop(); // writes what waits
    return written.toString(StandardCharsets.UTF_8);
  }
}
