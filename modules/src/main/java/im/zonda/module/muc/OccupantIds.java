package im.zonda.module.muc;

import im.zonda.jid.Jid;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Makes the ids that stand for users in one room, the same as long as the room lasts (XEP-0421).
/// Nobody without the room's salt can tell whose they are.
///
/// @param salt the room's own
record OccupantIds(String salt) {
  private static final String ALGORITHM = "HmacSHA256";
  private static final int BYTES = 16;

  /// The id of that bare address.
  String of(Jid user) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(salt.getBytes(StandardCharsets.UTF_8), ALGORITHM));
      byte[] all = mac.doFinal(user.utf8());
      return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(all, BYTES));
    } catch (NoSuchAlgorithmException | InvalidKeyException e) {
      throw new IllegalStateException("every Java has " + ALGORITHM, e);
    }
  }
}
