package im.zonda.module.muc.room;

import im.zonda.jid.Jid;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Derives occupant ids, which identify users in one room as long as the room exists (XEP-0421).
/// Without the room's salt, an id cannot be linked to a user.
///
/// @param salt the room's own
public record OccupantIds(String salt) {
  private static final String ALGORITHM = "HmacSHA256";

  /// An occupant id in binary form.
  public record Id(long high, long low) {
    /// The value in XML.
    @Override
    public String toString() {
      byte[] bytes = ByteBuffer.allocate(2 * Long.BYTES).putLong(high).putLong(low).array();
      return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
  }

  /// Derives the id of a bare address.
  public Id of(Jid user) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(salt.getBytes(StandardCharsets.UTF_8), ALGORITHM));
      ByteBuffer all = ByteBuffer.wrap(mac.doFinal(user.utf8()));
      return new Id(all.getLong(), all.getLong());
    } catch (NoSuchAlgorithmException | InvalidKeyException e) {
      throw new IllegalStateException("every Java has " + ALGORITHM, e);
    }
  }
}
