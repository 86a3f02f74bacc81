package im.zonda.net.http;

import im.zonda.config.limits.HttpLimits;
import im.zonda.net.AcceptedChannel;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2Settings;
import java.util.concurrent.Semaphore;

/// The handlers of a connection by HTTP/2 (RFC 9113). Each stream is a channel of its own, with the
/// same [HttpConnection] as a connection by HTTP/1.1; what it has not asked for stays within the
/// windows of flow control.
final class Http2Handlers {
  /// What a client may send that no handler has read: of one stream, and of all of a connection.
  static final int WINDOW_BYTES = 65_535;

  /// The most streams that a client may reset, or have reset by its errors, in [#RESET_SECONDS].
  private static final int MAX_RESETS = 200;

  private static final int RESET_SECONDS = 30;

  /// The most control frames that wait for a client which does not read.
  private static final int MAX_WAITING_FRAMES = 1_000;

  /// The most frames of one header that are nearly empty.
  private static final int MAX_SMALL_CONTINUATIONS = 8;

  /// The table that compresses headers, in each direction (RFC 7541, section 4.2).
  private static final int HEADER_TABLE_BYTES = 4_096;

  /// How long open streams may take when a connection is closed.
  private static final int CLOSE_MILLIS = 2_000;

  private Http2Handlers() {}

  /// Adds the handlers behind those of TLS.
  static void add(HttpServer server, AcceptedChannel accepted) {
    HttpLimits limits = server.limits();
    Semaphore streams = new Semaphore(limits.streams());
    Http2FrameCodec codec = codec(limits);
    accepted
        .channel()
        .pipeline()
        .addLast(
            new FrameGuard(),
            codec,
            new Http2MultiplexHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel stream) {
                    stream.config().setAutoRead(false);
                    stream
                        .pipeline()
                        .addLast(
                            new StreamTranslation(), new HttpConnection(server, accepted, streams));
                  }
                }),
            new IdleTimeout(limits, accepted, codec.connection()));
    accepted.channel().config().setAutoRead(true);
  }

  private static Http2FrameCodec codec(HttpLimits limits) {
    return Http2FrameCodecBuilder.forServer()
        .initialSettings(
            new Http2Settings()
                .maxConcurrentStreams(limits.streams())
                .maxHeaderListSize(limits.headerBytes())
                .headerTableSize(HEADER_TABLE_BYTES)
                .initialWindowSize(WINDOW_BYTES))
        .validateHeaders(true)
        .encoderEnforceMaxQueuedControlFrames(MAX_WAITING_FRAMES)
        .decoderEnforceMaxRstFramesPerWindow(MAX_RESETS, RESET_SECONDS)
        .encoderEnforceMaxRstFramesPerWindow(MAX_RESETS, RESET_SECONDS)
        .decoderEnforceMaxSmallContinuationFrames(MAX_SMALL_CONTINUATIONS)
        .gracefulShutdownTimeoutMillis(CLOSE_MILLIS)
        .build();
  }
}
