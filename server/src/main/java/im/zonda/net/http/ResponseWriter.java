package im.zonda.net.http;

import im.zonda.http.HttpContent;
import im.zonda.http.HttpContent.Bytes;
import im.zonda.http.HttpContent.FilePart;
import im.zonda.http.HttpContent.Later;
import im.zonda.http.HttpContent.Streamed;
import im.zonda.http.HttpResponse;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Writes one response on the handler's thread. The next part of a body is made while the event
/// loop encrypts and sends the one before, and waits until the socket has taken that one. A short
/// body goes with the header and the end, so that the two threads wake each other up once.
@SuppressWarnings("FutureReturnValueIgnored") // the end of a response reports failures
final class ResponseWriter {
  private static final Logger LOG = LoggerFactory.getLogger(ResponseWriter.class);
  private static final int PART_BYTES = 65_536;

  /// Parts that the socket may not have taken yet.
  private static final int PARTS = 2;

  private static final Map<String, String> SECURITY =
      Map.of(
          "X-Content-Type-Options", "nosniff",
          "X-Frame-Options", "DENY",
          "Referrer-Policy", "no-referrer",
          "Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");

  private final Channel channel;
  private final InstantSource clock;
  private final long millis;
  private final ResponseCounts counts;

  /// The parts that the socket may not have taken, the oldest first.
  private final Deque<ChannelFuture> sent = new ArrayDeque<>(PARTS);

  /// @param time how long a part may take
  /// @param counts counts the response
  ResponseWriter(Channel channel, InstantSource clock, Duration time, ResponseCounts counts) {
    this.counts = counts;
    this.channel = channel;
    this.clock = clock;
    this.millis = time.toMillis();
  }

  /// Writes a response. Blocks.
  ///
  /// @param head whether only the header is asked for
  /// @param close whether the connection is closed after it
  /// @param chunked whether the client understands a body of unknown length
  /// @return whether the connection can be used again
  /// @throws IOException if the client is gone or too slow
  boolean write(HttpResponse response, boolean head, boolean close, boolean chunked)
      throws IOException {
    @Nullable FileChannel file = null;
    HttpResponse answer = response;
    if (answer.content() instanceof FilePart part) {
      try {
        file = FileChannel.open(part.path(), StandardOpenOption.READ);
      } catch (IOException e) {
        LOG.atWarn().addKeyValue("file", part.path()).setCause(e).log("http_file_not_opened");
        answer = HttpResponse.text(404, "There is nothing here.");
      }
    }
    try {
      boolean bodiless = isBodiless(answer);
      long length = length(answer.content());
      boolean unframed = length < 0 && !chunked && !bodiless;
      boolean ends = close || unframed;
      DefaultHttpResponse start = start(answer, bodiless, length, ends);
      if (length < 0 && chunked && !bodiless) {
        start.headers().set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
      }
      channel.write(start, channel.voidPromise());
      boolean hasBody = !head && !bodiless;
      if (hasBody && !isShort(answer)) {
        body(answer.content(), file);
      }
      send(end(answer, hasBody));
      while (!sent.isEmpty()) {
        awaitOldest();
      }
      return !ends;
    } finally {
      if (file != null) {
        file.close();
      }
    }
  }

  /// Whether a response can be written at once.
  static boolean isShort(HttpResponse response) {
    return response.content() instanceof Bytes(byte[] bytes) && bytes.length <= PART_BYTES;
  }

  /// Writes a short response. On any thread, which is not blocked.
  ///
  /// @param head whether only the header is asked for
  /// @param close whether the connection is closed after it
  ChannelFuture writeShort(HttpResponse response, boolean head, boolean close) {
    boolean bodiless = isBodiless(response);
    channel.write(
        start(response, bodiless, length(response.content()), close), channel.voidPromise());
    return channel.writeAndFlush(end(response, !head && !bodiless));
  }

  private static LastHttpContent end(HttpResponse response, boolean hasBody) {
    return hasBody && isShort(response) && response.content() instanceof Bytes(byte[] bytes)
        ? new DefaultLastHttpContent(Unpooled.wrappedBuffer(bytes))
        : LastHttpContent.EMPTY_LAST_CONTENT;
  }

  private static boolean isBodiless(HttpResponse response) {
    return response.status() == 204 || response.status() == 304;
  }

  private static long length(HttpContent content) {
    return switch (content) {
      case Later _ -> throw new IllegalArgumentException("the response has not come");
      case Bytes bytes -> bytes.bytes().length;
      case FilePart part -> part.length();
      case Streamed streamed -> streamed.length();
    };
  }

  private DefaultHttpResponse start(
      HttpResponse response, boolean bodiless, long length, boolean close) {
    counts.count(response.status());
    DefaultHttpResponse start =
        new DefaultHttpResponse(
            HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(response.status()));
    HttpHeaders fields = start.headers();
    for (HttpResponse.Header field : response.headers()) {
      fields.add(field.name(), field.value());
    }
    SECURITY.forEach((name, value) -> {
      if (!fields.contains(name)) {
        fields.set(name, value);
      }
    });
    fields.set(
        HttpHeaderNames.DATE,
        DateTimeFormatter.RFC_1123_DATE_TIME.format(clock.instant().atOffset(ZoneOffset.UTC)));
    if (length >= 0 && !bodiless) {
      fields.set(HttpHeaderNames.CONTENT_LENGTH, length);
    }
    if (close) {
      fields.set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    }
    return start;
  }

  private void body(HttpContent content, @Nullable FileChannel file) throws IOException {
    switch (content) {
      case Later _ -> throw new IllegalArgumentException("the response has not come");
      case Bytes(byte[] bytes) -> part(bytes, 0, bytes.length);
      case FilePart(var path, long offset, long length) -> {
        long at = offset;
        long end = offset + length;
        while (at < end) {
          at += part(Objects.requireNonNull(file), at, (int) Math.min(PART_BYTES, end - at), path);
        }
      }
      case Streamed(long length, HttpContent.Writer writer) -> {
        Counting output = new Counting(length);
        writer.writeTo(output);
        if (length >= 0 && output.written != length) {
          throw new IOException("a body of " + output.written + " bytes instead of " + length);
        }
      }
    }
  }

  private final class Counting implements HttpContent.Output {
    private final long most;
    private long written;

    private Counting(long most) {
      this.most = most;
    }

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
      written += length;
      if (most >= 0 && written > most) {
        throw new IOException("a body of more than " + most + " bytes");
      }
      part(source, offset, length);
    }
  }

  private void part(byte[] source, int offset, int length) throws IOException {
    int at = offset;
    int end = offset + length;
    while (at < end) {
      int size = Math.min(PART_BYTES, end - at);
      send(new DefaultHttpContent(Unpooled.copiedBuffer(source, at, size)));
      at += size;
    }
  }

  /// Returns how many bytes of the file were sent.
  private int part(FileChannel file, long at, int size, Path path) throws IOException {
    ByteBuf part = channel.alloc().heapBuffer(size, size);
    int read;
    try {
      read = part.writeBytes(file, at, size);
    } catch (IOException | RuntimeException e) {
      part.release();
      throw e;
    }
    if (read < 0) {
      part.release();
      throw new IOException("the file " + path + " is shorter than announced");
    }
    send(new DefaultHttpContent(part));
    return read;
  }

  /// Has a part sent, which is released in any case.
  private void send(HttpObject part) throws IOException {
    if (sent.size() == PARTS) {
      try {
        awaitOldest();
      } catch (IOException e) {
        ReferenceCountUtil.release(part);
        throw e;
      }
    }
    sent.add(channel.writeAndFlush(part));
  }

  /// Waits until the socket has taken the oldest part. An event loop that has ended would not
  /// notify a listener of a failure.
  private void awaitOldest() throws IOException {
    ChannelFuture oldest = sent.remove();
    try {
      if (!oldest.await(millis)) {
        throw new IOException("the client reads too slowly");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("the server stops", e);
    }
    Throwable cause = oldest.cause();
    if (cause != null) {
      throw new IOException("the client is gone", cause);
    }
  }
}
