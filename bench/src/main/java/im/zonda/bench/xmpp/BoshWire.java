package im.zonda.bench.xmpp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.io.EOFException;
import java.net.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/// A stream in requests of HTTP (XEP-0124, XEP-0206), over two connections: one request waits at
/// the server for what comes, the other one carries what is sent. Confined to its loop, except for
/// [#write] and [#cut].
final class BoshWire implements Wire {
  /// Where servers offer it, by the custom of XEP-0156.
  private static final String PATH = "/http-bind";

  private static final String BODY =
      "<body xmlns='http://jabber.org/protocol/httpbind' xmlns:xmpp='urn:xmpp:xbosh' rid='";
  private static final String END = "</body>";
  private static final int CONNECTIONS = 2;
  private static final int WAIT_SECONDS = 60;

  private final Connection connection;
  private final Events events;
  private final ElementCutter cutter;
  private final Queue<Channel> idle = new ArrayDeque<>();
  private final Map<Long, byte[]> early = new HashMap<>();
  private final StringBuilder pending = new StringBuilder();
  private String attributes = "";
  private boolean asking;
  private String sid = "";
  private long next = ThreadLocalRandom.current().nextLong(1_000, 1L << 50);
  private long expected = next;
  private int open;
  private boolean ended;
  private volatile @Nullable Channel first;
  private volatile @Nullable Channel second;

  BoshWire(Connection connection, Events events) {
    this.connection = connection;
    this.events = events;
    this.cutter = new ElementCutter(events);
  }

  /// Opens the connections.
  void open() {
    for (int i = 0; i < CONNECTIONS; i++) {
      connection.connect(
          channel ->
              channel
                  .pipeline()
                  .addLast(
                      new HttpClientCodec(),
                      new HttpObjectAggregator(ElementCutter.MAX_BYTES),
                      new Responses()),
          events);
    }
  }

  @Override
  public void openStream() {
    String to = "' to='" + connection.endpoint().domain() + "' xml:lang='en";
    attributes =
        sid.isEmpty()
            ? to + "' ver='1.11' wait='" + WAIT_SECONDS + "' hold='1' xmpp:version='1.0"
            : to + "' xmpp:restart='true";
    asking = true;
    flush();
  }

  @Override
  public void startTls() {
    throw new IllegalStateException("there is no STARTTLS in BOSH");
  }

  @Override
  public void write(byte[] xml) {
    String text = new String(WebSocketWire.withNamespace(xml), StandardCharsets.UTF_8);
    if (connection.loop().isCurrent()) {
      pending.append(text);
      flush();
    } else {
      connection
          .loop()
          .execute(() -> {
            pending.append(text);
            flush();
          });
    }
  }

  /// Sends what there is to send, or a request that waits, if a connection is free.
  private void flush() {
    boolean waits = open == 0 && !sid.isEmpty();
    Channel free = asking || waits || !pending.isEmpty() ? idle.poll() : null;
    if (free == null || ended) {
      return;
    }
    String known = sid.isEmpty() ? "" : "' sid='" + sid;
    String body = BODY + next++ + known + attributes + "'>" + pending + END;
    pending.setLength(0);
    attributes = "";
    asking = false;
    open++;
    ByteBuf content = Unpooled.wrappedBuffer(body.getBytes(StandardCharsets.UTF_8));
    FullHttpRequest request =
        new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, PATH, content);
    request
        .headers()
        .set(HttpHeaderNames.HOST, connection.endpoint().domain())
        .set(HttpHeaderNames.CONTENT_TYPE, "text/xml; charset=utf-8")
        .set(HttpHeaderNames.CONTENT_LENGTH, content.readableBytes());
    free.pipeline().get(Responses.class).rid = next - 1;
    var _ = free.writeAndFlush(request, free.voidPromise());
  }

  /// Takes a response; an earlier one may still be on its way on the other connection.
  private void answered(long rid, byte[] body) {
    open--;
    early.put(rid, body);
    for (byte[] now = early.remove(expected); now != null; now = early.remove(expected)) {
      expected++;
      accept(now);
    }
    flush();
  }

  private void accept(byte[] body) {
    String known = Markup.attribute(body, 0, body.length, "sid");
    if (known != null) {
      sid = known;
    }
    int begin = Markup.indexOf(body, 0, body.length, ">") + 1;
    int end = body.length - END.length();
    if (begin > 0 && begin < end) {
      cutter.take(body, begin, end);
    }
    if ("terminate".equals(Markup.attribute(body, 0, body.length, "type"))) {
      ended = true;
      events.end();
    }
  }

  @Override
  public void close() {
    attributes = "' type='terminate";
    asking = true;
    flush();
    ended = true;
    connection.loop().at(System.nanoTime() + 200_000_000, this::cut);
  }

  @Override
  public void stopReading() {
    for (Channel each : new Channel[] {first, second}) {
      if (each != null) {
        each.config().setAutoRead(false);
      }
    }
  }

  @Override
  public void cut() {
    for (Channel each : new Channel[] {first, second}) {
      if (each != null) {
        Connection.reset(each);
      }
    }
  }

  private final class Responses extends SimpleChannelInboundHandler<FullHttpResponse> {
    private long rid;

    @Override
    public void channelActive(ChannelHandlerContext context) {
      idle.add(context.channel());
      if (first == null) {
        first = context.channel();
      } else {
        second = context.channel();
        events.ready(BoshWire.this);
      }
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpResponse response) {
      if (!response.status().equals(HttpResponseStatus.OK)) {
        events.failed(new ProtocolException("the server answers with " + response.status()));
        return;
      }
      byte[] body = new byte[response.content().readableBytes()];
      response.content().readBytes(body);
      idle.add(context.channel());
      answered(rid, body);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      events.failed(new EOFException("the server has closed the connection"));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      events.failed(cause);
      var _ = context.close();
    }
  }
}
