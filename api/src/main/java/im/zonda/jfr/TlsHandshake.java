package im.zonda.jfr;

import javax.net.ssl.SSLSession;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/// A TLS handshake with a client or a server has ended.
@Name("zonda.TlsHandshake")
@Label("TLS Handshake")
@Description("A TLS handshake with a client or a server has ended.")
@Category("Zonda")
@StackTrace(false)
public final class TlsHandshake extends Event {
  @Label("Protocol")
  @Nullable String protocol;

  @Label("Cipher Suite")
  @Nullable String cipherSuite;

  @Label("Failure")
  @Description("The class of the exception")
  @Nullable String failure;

  private TlsHandshake() {}

  /// Records one.
  ///
  /// @param session what was negotiated
  /// @param failure null if it has succeeded
  public static void record(SSLSession session, @Nullable Throwable failure) {
    TlsHandshake event = new TlsHandshake();
    if (event.isEnabled()) {
      event.protocol = session.getProtocol();
      event.cipherSuite = session.getCipherSuite();
      event.failure = failure == null ? null : failure.getClass().getName();
      event.commit();
    }
  }
}
