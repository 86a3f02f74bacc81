package im.zonda.module.muc.room;

import im.zonda.jid.Jid;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Makes the ids that stand for users in one room, the same as long as the room lasts (XEP-0421).
/// Nobody without the room's salt can tell whose they are.
///
/// @param salt the room's own
public record OccupantIds(String salt) {
  private static final String ALGORITHM = "HmacSHA256";

  /// An id, in little memory.
  public record Id(long high, long low) {
    /// As it is written.
    @Override
    public String toString() {
      byte[] bytes = ByteBuffer.allocate(2 * Long.BYTES).putLong(high).putLong(low).array();
      return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
  }

  /// The id of that bare address.
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
