package im.zonda.edge.core;

import static java.nio.charset.StandardCharsets.UTF_8;

import im.zonda.jid.Jid;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Tickets that prove that a client has authenticated on a stream of an edge. They are valid after
/// a new start of the core, for the edge whose certificate has that name, and for one full address.
/// Nothing is stored. Any thread may call.
final class Tickets {
  private static final String ALGORITHM = "HmacSHA256";
  private static final byte[] PURPOSE = "ticket of an edge\0".getBytes(UTF_8);

  private final SecretKeySpec key;

  /// @param secret stays the same over restarts
  Tickets(byte[] secret) {
    this.key = new SecretKeySpec(secret, ALGORITHM);
  }

  /// The ticket of an edge for a session.
  String issue(String edge, Jid jid) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      mac.update(PURPOSE);
      mac.update(edge.getBytes(UTF_8));
      mac.update((byte) 0);
      mac.update(jid.utf8());
      return HexFormat.of().formatHex(mac.doFinal());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime has no " + ALGORITHM, e);
    }
  }

  /// Whether a ticket is that of this edge and session.
  boolean isValid(String ticket, String edge, Jid jid) {
    return MessageDigest.isEqual(ticket.getBytes(UTF_8), issue(edge, jid).getBytes(UTF_8));
  }
}
