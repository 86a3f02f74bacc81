package im.zonda.net.tls;

import io.netty.buffer.ByteBuf;
import io.netty.handler.ssl.SslHandler;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLEngine;

/// TLS of one connection that knows how much it holds.
public final class TlsHandler extends SslHandler {
  /// @param tasks runs the expensive steps of the handshake
  public TlsHandler(SSLEngine engine, Executor tasks) {
    super(engine, tasks);
  }

  /// The bytes of the buffer that holds a record (RFC 8446, section 5.1) that has not come to its
  /// end; 0 if there is none.
  public int unfinishedBytes() {
    ByteBuf held = internalBuffer();
    return held.isReadable() ? held.capacity() : 0;
  }
}
