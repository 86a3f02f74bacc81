package im.zonda.net.http;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.util.ReferenceCountUtil;
import java.util.Locale;
import java.util.Map;

/// Translates the frames of one stream of HTTP/2 to the messages of HTTP/1.1 and back. Confined to
/// the event loop.
final class StreamTranslation extends ChannelDuplexHandler {
  private boolean begun;
  private boolean ended;

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // there is nothing left to do
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    try {
      switch (message) {
        case Http2HeadersFrame headers when !ended -> receive(ctx, headers);
        case Http2DataFrame data when begun && !ended -> {
          ended = data.isEndStream();
          ctx.fireChannelRead(
              ended
                  ? new DefaultLastHttpContent(data.content())
                  : new DefaultHttpContent(data.content()));
        }
        default -> ReferenceCountUtil.release(message);
      }
    } catch (MalformedRequestException e) {
      // RFC 9113, section 8.1.1. What has been handled of the request fails with the channel.
      ended = true;
      ctx.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.PROTOCOL_ERROR));
      ctx.close();
    }
  }

  private void receive(ChannelHandlerContext ctx, Http2HeadersFrame frame)
      throws MalformedRequestException {
    if (begun) {
      Http2RequestHeader.checkTrailers(frame.headers(), frame.isEndStream());
    } else {
      DefaultHttpRequest request = Http2RequestHeader.read(frame.headers(), frame.isEndStream());
      begun = true;
      ctx.fireChannelRead(request);
    }
    if (frame.isEndStream()) {
      ended = true;
      ctx.fireChannelRead(LastHttpContent.EMPTY_LAST_CONTENT);
    }
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // the promise reports failures
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    if (message instanceof HttpResponse response) {
      boolean informational = response.status().codeClass() == HttpStatusClass.INFORMATIONAL;
      ctx.write(new DefaultHttp2HeadersFrame(fields(response), false), promise);
      if (informational) {
        ReferenceCountUtil.release(message); // it has no content
        return;
      }
    } else if (message instanceof HttpContent content) {
      ctx.write(
          new DefaultHttp2DataFrame(content.content(), content instanceof LastHttpContent),
          promise);
    } else {
      ctx.write(message, promise);
    }
  }

  private static Http2Headers fields(HttpResponse response) {
    Http2Headers fields = new DefaultHttp2Headers();
    fields.status(response.status().codeAsText());
    for (Map.Entry<String, String> field : response.headers()) {
      String name = field.getKey().toLowerCase(Locale.ROOT);
      if (!Http2RequestHeader.isOfConnection(name)) {
        fields.add(name, field.getValue());
      }
    }
    return fields;
  }
}
