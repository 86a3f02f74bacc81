package im.zonda.net;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandler;

/// The last handler of a channel: events that it does not handle are ignored.
interface EventHandler extends ChannelInboundHandler {
  @Override
  default void channelRegistered(ChannelHandlerContext ctx) {}

  @Override
  default void channelUnregistered(ChannelHandlerContext ctx) {}

  @Override
  default void handlerAdded(ChannelHandlerContext ctx) {}

  @Override
  default void handlerRemoved(ChannelHandlerContext ctx) {}
}
