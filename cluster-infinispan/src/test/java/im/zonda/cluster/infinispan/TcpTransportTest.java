package im.zonda.cluster.infinispan;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.jgroups.logging.Log;
import org.jgroups.logging.LogFactory;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/// What the transport logs.
class TcpTransportTest {
  @Test
  void onlyAPeerThatHasGoneBeforeItWasToldIsNoError() {
    Logger logger = (Logger) LoggerFactory.getLogger(TcpTransportTest.class);
    logger.setLevel(Level.DEBUG);
    ListAppender<ILoggingEvent> events = new ListAppender<>();
    events.start();
    logger.addAppender(events);
    Log log = TcpTransport.lowered(LogFactory.getLog(TcpTransportTest.class));
    log.error("%s: failed sending graceful close to %s: %s", "a", "b", "Broken pipe");
    log.error("%s: failed sending message", "a");
    log.warn("another");
    assertThat(events.list.stream().map(ILoggingEvent::getLevel))
        .containsExactly(Level.DEBUG, Level.ERROR, Level.WARN);
    assertThat(log.isErrorEnabled()).isTrue();
  }
}
