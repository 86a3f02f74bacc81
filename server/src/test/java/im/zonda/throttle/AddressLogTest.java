package im.zonda.throttle;

import static im.zonda.throttle.Addresses.address;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import im.zonda.stream.client.TestTimers;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

final class AddressLogTest {
  private final TestTimers timers = new TestTimers();
  private final AddressLog log = new AddressLog("failed_repeatedly", timers);
  private final Logger logger = (Logger) LoggerFactory.getLogger(AddressLog.class);
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

  @BeforeEach
  void listen() {
    lines.start();
    logger.addAppender(lines);
  }

  @AfterEach
  void stop() {
    logger.detachAppender(lines);
  }

  /// The lines of the next interval, as `address count`.
  private List<String> next() {
    lines.list.clear();
    timers.pass(AddressLog.INTERVAL);
    return lines.list.stream()
        .map(event ->
            event.getKeyValuePairs().get(0).value + " " + event.getKeyValuePairs().get(1).value)
        .toList();
  }

  @Test
  void row41_oneLineForAnAddressAndAnInterval() {
    assertThat(log.isFirst(address("192.0.2.66"))).isTrue();
    for (int i = 0; i < 6_600; i++) {
      assertThat(log.isFirst(address("192.0.2.66"))).isFalse();
    }
    assertThat(log.isFirst(address("192.0.2.1"))).isTrue();

    assertThat(next()).containsExactly("192.0.2.66 6600");
    log.isFirst(address("192.0.2.66"));
    assertThat(next()).containsExactly("192.0.2.66 1");
  }

  @Test
  void whatHasBeenQuietIsNewAgain() {
    log.isFirst(address("192.0.2.66"));
    assertThat(next()).isEmpty();

    assertThat(timers.pending()).isZero();
    assertThat(log.isFirst(address("192.0.2.66"))).isTrue();
  }

  @Test
  void row41_manyAddressesShareALine() {
    int first = 0;
    for (int i = 0; i < 100_000; i++) {
      first += log.isFirst(address(i)) ? 1 : 0;
    }

    assertThat(first).isEqualTo(AddressLog.MOST);
    assertThat(next()).containsExactly("others " + (100_000 - AddressLog.MOST));
    assertThat(next()).isEmpty();
    assertThat(timers.pending()).isZero();
  }
}
