package im.zonda.net.http;

import im.zonda.config.limits.HttpLimits;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpRequestDecoder;

/// Reads requests strictly. What two readers could take for different requests (RFC 9112, section
/// 11.2) is an error and not repaired.
final class RequestDecoder extends HttpRequestDecoder {
  RequestDecoder(HttpLimits limits) {
    super(
        new HttpDecoderConfig()
            .setMaxInitialLineLength(limits.headerBytes())
            .setMaxHeaderSize(limits.headerBytes())
            .setValidateHeaders(true)
            .setStrictLineParsing(true)
            .setUseRfc9112TransferEncoding(true)
            .setAllowDuplicateContentLengths(false));
  }

  @Override
  protected void handleTransferEncodingChunkedWithContentLength(HttpMessage message) {
    throw new IllegalArgumentException("both Transfer-Encoding and Content-Length");
  }
}
