package im.zonda.app.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.LayoutBase;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.spi.ContextAwareBase;
import im.zonda.config.ServerConfig;
import im.zonda.config.ServerConfig.LogFormat;
import im.zonda.config.ServerConfig.LogLevel;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import org.slf4j.LoggerFactory;

/// Configures logging in code, so that Logback looks for no configuration file.
public final class LogSetup extends ContextAwareBase implements Configurator {
  private static final int QUEUE = 4_096;
  private static final String RECENT = "recent lines";

  /// Classes of ours that extend those of JGroups, which log under these names.
  private static final List<String> JGROUPS =
      List.of(
          "im.zonda.cluster.infinispan.TcpTransport", "im.zonda.cluster.infinispan.PeerDiscovery");

  /// Created by Logback through its service file.
  public LogSetup() {}

  @Override
  public ExecutionStatus configure(LoggerContext context) {
    apply(
        context,
        new ServerConfig.Log(LogLevel.WARN, LogFormat.TEXT),
        new FileOutputStream(FileDescriptor.err));
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }

  /// Logs to standard error as configured.
  public static void apply(ServerConfig.Log log) {
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      apply(context, log, new FileOutputStream(FileDescriptor.err));
    }
  }

  /// The last lines that this process has logged.
  public static RecentLines recent() {
    return LoggerFactory.getILoggerFactory() instanceof LoggerContext context
        ? recent(context)
        : new RecentLines();
  }

  /// Those of a context, which stay when it is configured again.
  private static RecentLines recent(LoggerContext context) {
    if (context.getObject(RECENT) instanceof RecentLines known) {
      return known;
    }
    RecentLines made = new RecentLines();
    context.putObject(RECENT, made);
    return made;
  }

  /// Writes the queued events and stops.
  public static void stop() {
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      context.stop();
    }
  }

  static void apply(LoggerContext context, ServerConfig.Log log, OutputStream target) {
    apply(context, log, target, InstantSource.system());
  }

  static void apply(
      LoggerContext context, ServerConfig.Log log, OutputStream target, InstantSource clock) {
    Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
    root.detachAndStopAllAppenders();
    LayoutWrappingEncoder<ILoggingEvent> encoder =
        encoder(
            context,
            switch (log.format()) {
              case TEXT -> new TextLayout();
              case JSON -> new JsonLayout();
            });
    encoder.setContext(context);
    encoder.start();
    NonBlockingAppender appender =
        new NonBlockingAppender(encoder, target, QUEUE, clock, recent(context));
    appender.setContext(context);
    appender.setName("stderr");
    appender.start();
    root.addAppender(appender);
    // Administrators have no use for what libraries log below a warning.
    root.setLevel(log.level() == LogLevel.ERROR ? Level.ERROR : Level.WARN);
    // Each connection that a failing database breaks, which is logged as one event of our own.
    context.getLogger("com.zaxxer.hikari").setLevel(Level.ERROR);
    // It warns of every record that fails DNSSEC, which anyone can cause; the result says so too.
    context.getLogger("org.xbill.DNS").setLevel(Level.OFF);
    // It warns of lost data, of which there is none in it; what members come and go is logged by
    // us.
    context.getLogger("org.infinispan.CLUSTER").setLevel(Level.OFF);
    context.getLogger("im.zonda").setLevel(Level.toLevel(log.level().name()));
    context.getLogger("plugin").setLevel(Level.toLevel(log.level().name()));
    for (String extended : JGROUPS) {
      context.getLogger(extended).setLevel(root.getLevel());
    }
  }

  private static LayoutWrappingEncoder<ILoggingEvent> encoder(
      LoggerContext context, LayoutBase<ILoggingEvent> layout) {
    layout.setContext(context);
    layout.start();
    LayoutWrappingEncoder<ILoggingEvent> encoder = new LayoutWrappingEncoder<>();
    encoder.setLayout(layout);
    encoder.setCharset(StandardCharsets.UTF_8);
    return encoder;
  }
}
