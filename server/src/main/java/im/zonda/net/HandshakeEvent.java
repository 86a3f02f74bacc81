package im.zonda.net;

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
final class HandshakeEvent extends Event {
  @Label("Protocol")
  @Nullable String protocol;

  @Label("Cipher Suite")
  @Nullable String cipherSuite;

  @Label("Failure")
  @Nullable String failure;
}
