package im.zonda.net.tls;

import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import javax.net.ssl.SSLSession;
import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/// A flight recorder event: a TLS handshake of a client has ended.
@Name("im.zonda.TlsHandshake")
@Label("TLS Handshake")
@Category({"Zonda", "Network"})
@StackTrace(false)
public final class HandshakeEvent extends Event {
  @Label("Protocol")
  @Nullable String protocol;

  @Label("Cipher Suite")
  @Nullable String cipherSuite;

  @Label("Failure")
  @Nullable String failure;

  /// Records how a handshake has ended.
  public static void record(SslHandshakeCompletionEvent handshake, @Nullable SslHandler tls) {
    HandshakeEvent event = new HandshakeEvent();
    if (event.isEnabled() && tls != null) {
      SSLSession session = tls.engine().getSession();
      event.protocol = session.getProtocol();
      event.cipherSuite = session.getCipherSuite();
      event.failure = handshake.isSuccess() ? null : String.valueOf(handshake.cause());
      event.commit();
    }
  }
}
