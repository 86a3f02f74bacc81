package im.zonda.app.transfer.openfire;

import im.zonda.app.transfer.BadRecordException;
import im.zonda.storage.sql.foreign.ForeignDatabase;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/// Decrypts the passwords that Openfire keeps encrypted: with Blowfish in CBC mode, as hexadecimal
/// digits of the initialisation vector and the text in UTF-16. The key is the SHA-1 of the property
/// `passwordKey`.
final class EncryptedPasswords {
  private static final String TRANSFORMATION = "Blowfish/CBC/PKCS5Padding";
  private static final int BLOCK = 8;
  private static final int MAX_DIGITS = 8_192;

  private final byte @Nullable [] key;
  private final String missing;

  private EncryptedPasswords(byte @Nullable [] key, String missing) {
    this.key = key;
    this.missing = missing;
  }

  /// Finds the key of a database.
  static EncryptedPasswords of(ForeignDatabase database) throws IOException {
    String encrypted = database.hasColumn("ofproperty", "encrypted") ? "encrypted" : "0";
    EncryptedPasswords[] found = {new EncryptedPasswords(null, "the database has no key of it")};
    database.query(
        "select propValue, " + encrypted + " from ofProperty where name = 'passwordKey'",
        row -> {
          String value = row.text(1);
          found[0] =
              row.number(2) == 1
                  ? new EncryptedPasswords(null, "its key is encrypted itself")
                  : withKey(String.valueOf(value));
          return false;
        });
    return found[0];
  }

  /// Those with the key of the property `passwordKey`.
  static EncryptedPasswords withKey(String passwordKey) {
    try {
      MessageDigest sha1 = MessageDigest.getInstance("SHA-1");
      return new EncryptedPasswords(sha1.digest(passwordKey.getBytes(StandardCharsets.UTF_8)), "");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("each Java platform has SHA-1", e);
    }
  }

  /// Decrypts a password.
  ///
  /// @throws BadRecordException if the key is not known or another one, or the digits are damaged
  String decrypt(String digits) throws BadRecordException {
    byte[] known = key;
    if (known == null) {
      throw new BadRecordException("Openfire has encrypted its password, and " + missing);
    }
    if (digits.length() > MAX_DIGITS) {
      throw new BadRecordException("its encrypted password is too long");
    }
    try {
      byte[] bytes = HexFormat.of().parseHex(digits.strip());
      if (bytes.length < 2 * BLOCK) {
        throw new BadRecordException("its encrypted password is damaged");
      }
      Cipher cipher = Cipher.getInstance(TRANSFORMATION);
      cipher.init(
          Cipher.DECRYPT_MODE,
          new SecretKeySpec(known, "Blowfish"),
          new IvParameterSpec(Arrays.copyOf(bytes, BLOCK)));
      return text(cipher.doFinal(bytes, BLOCK, bytes.length - BLOCK));
    } catch (IllegalArgumentException e) {
      throw new BadRecordException("its encrypted password is damaged");
    } catch (GeneralSecurityException | CharacterCodingException e) {
      throw new BadRecordException(
          "its encrypted password is damaged, or encrypted with a key of security.xml");
    }
  }

  /// Bytes that a wrong key gives are hardly ever text without control characters.
  private static String text(byte[] bytes) throws CharacterCodingException {
    String text = StandardCharsets.UTF_16BE.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    if (text.isEmpty() || text.codePoints().anyMatch(each -> !isTyped(each))) {
      throw new CharacterCodingException();
    }
    return text;
  }

  private static boolean isTyped(int character) {
    return !Character.isISOControl(character) && Character.isDefined(character);
  }
}
