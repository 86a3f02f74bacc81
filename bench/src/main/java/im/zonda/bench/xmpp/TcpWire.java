package im.zonda.bench.xmpp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.io.EOFException;
import java.nio.charset.StandardCharsets;

/// A stream on a socket of its own (RFC 6120), with TLS or without.
final class TcpWire extends ChannelInboundHandlerAdapter implements Wire {
  private static final byte[] END = "</stream:stream>".getBytes(StandardCharsets.US_ASCII);

  private final Channel channel;
  private final Connection connection;
  private final Events events;
  private final ElementCutter cutter;

  TcpWire(Channel channel, Connection connection, Events events) {
    this.channel = channel;
    this.connection = connection;
    this.events = events;
    this.cutter = new ElementCutter(events);
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    if (connection.endpoint().security() != Endpoint.Security.TLS) {
      events.ready(this);
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event instanceof SslHandshakeCompletionEvent handshake) {
      if (handshake.isSuccess()) {
        events.ready(this);
      } else {
        events.failed(handshake.cause());
      }
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf read = (ByteBuf) message;
    try {
      byte[] bytes = connection.loop().readBytes();
      while (read.isReadable()) {
        int length = Math.min(read.readableBytes(), bytes.length);
        read.readBytes(bytes, 0, length);
        cutter.take(bytes, 0, length);
      }
    } finally {
      read.release();
    }
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

  @Override
  public void openStream() {
    write(
        ("<?xml version='1.0'?><stream:stream xmlns='jabber:client'"
                + " xmlns:stream='http://etherx.jabber.org/streams' version='1.0' to='"
                + connection.endpoint().domain()
                + "'>")
            .getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void startTls() {
    connection.secure(channel);
  }

  @Override
  public void write(byte[] xml) {
    var _ = channel.writeAndFlush(Unpooled.wrappedBuffer(xml), channel.voidPromise());
  }

  @Override
  public void stopReading() {
    channel.config().setAutoRead(false);
  }

  @Override
  public void close() {
    var _ =
        channel.writeAndFlush(Unpooled.wrappedBuffer(END)).addListener(ChannelFutureListener.CLOSE);
  }

  @Override
  public void cut() {
    Connection.reset(channel);
  }
}
